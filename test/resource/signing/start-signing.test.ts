import { ContentRefusal } from "@cobs/cobs-model";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { PaymentState } from "../../../packages/resource/src/payments/payment.ts";
import { createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import type { SigningOutcome } from "../../../packages/resource/src/payments/payment-store.ts";
import type { SigningState } from "../../../packages/resource/src/signing/signing-authority.ts";
import { type StartParts, startSigning } from "../../../packages/resource/src/signing/start-signing.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { approvalOf, digestOf, requestNamed, sampleTerms } from "../payments/sample-payments.ts";

const MINUTE = 60_000;
const REQUEST = requestNamed("R-1");
const PAGE = "https://auth.example/sign/R-1";
const APPROVAL = approvalOf(digestOf("the order"), REQUEST);

type Kept = "attached" | Exclude<SigningOutcome, { readonly result: "done" }>;

/** What auth tells, what the store says to keeping that, and how the payment is afterwards. */
interface Told {
  readonly kept: Kept;
  readonly told?: SigningState;
  readonly after?: "entered" | "approved" | "gone";
  readonly minutesLeft?: number;
}

const refused = { result: "refused", reason: "wrong_state" } as const;
const approved = { state: "approved", approval: APPROVAL } as const;

describe("Sending a PSU to auth", () => {
  /** How it ends, and what was asked and taken. */
  async function start({ kept, told = { state: "waiting" }, after = "entered", minutesLeft = 30 }: Told) {
    const clock = movableClock();
    const done: string[] = [];
    const expiresAt = new Date(clock.now().getTime() + minutesLeft * MINUTE);
    const ids = { signId: createSignId(), earlierSignIds: [] };
    const terms = sampleTerms({ expiresAt });
    const signing = { state: "asked", requestId: REQUEST } as const;
    const payment = { ...terms, ...ids, state: "entered", signing } as const;
    const states: Readonly<Record<"entered" | "approved", PaymentState>> = {
      entered: payment,
      approved: { ...ids, ...approved },
    };
    const never = () => Promise.reject(new TypeError("nobody should take this"));
    const parts: StartParts = {
      store: {
        takeApproval: async ({ id }) => {
          done.push(`took ${id}`);
          return { result: "taken", paymentId: terms.id };
        },
        takeExpiry: async (requestId) => {
          done.push(`expired ${requestId}`);
          return { result: "taken", paymentId: terms.id };
        },
        takeRefusal: never,
        takeCancellation: never,
        takeConsentEnd: never,
        attachRequest: async () => (kept === "attached" ? { result: "done", payment } : kept),
        find: async () => {
          if (after === "gone") return undefined;
          const state = states[after];
          if (state.state === "deleted") throw new TypeError("a deleted payment is not found");
          return { ...terms, ...state };
        },
      },
      authority: {
        ask: async () => {
          done.push("asked");
          return { ...told, requestId: REQUEST, url: PAGE };
        },
        cancel: async (requestId) => {
          done.push(`cancelled ${requestId}`);
          return undefined;
        },
      },
      clock,
      log: readableLog().log,
    };
    const { id, organisationIdentifier, psu } = payment;
    const started = startSigning(parts, {
      found: { payment, signId: ids.signId, state: "OPEN", owned: { id, organisationIdentifier, psu } },
      tpp: { thumbprint: thumbprintOf(Buffer.of(1)), twinThumbprint: undefined },
      returnUrl: undefined,
      call: { requestId: "request", traceContext: undefined },
    });
    const outcome = await started.then(
      ({ payment: { state }, url }) => `${state} ${url}`,
      (error: unknown) => (error instanceof ContentRefusal ? error.message : error),
    );
    return { done, outcome };
  }

  it("leads to auth's page once it is stored that auth has the order (COBS 3.2.10)", async () => {
    const { done, outcome } = await start({ kept: "attached" });
    expect(outcome).to.equal(`entered ${PAGE}`);
    expect(done).to.deep.equal(["asked"]);
  });

  it("withdraws the order at auth when its payment is gone or over meanwhile", async () => {
    const gone = await start({ kept: { result: "unknown" } });
    expect(gone.done).to.deep.equal(["asked", `cancelled ${REQUEST}`]);
    expect(gone.outcome).to.equal("ID_NOT_FOUND");
    const over = await start({ kept: refused });
    expect(over.done).to.deep.equal(["asked", `cancelled ${REQUEST}`]);
    expect(over.outcome).to.equal("AUTH_LIMIT_EXCEEDED");
  });

  it("asks nothing when the time to approve is over, even before auth reports it (COBS 3.2.10)", async () => {
    const { done, outcome } = await start({ kept: { result: "unknown" }, minutesLeft: 0 });
    expect(outcome).to.equal("AUTH_LIMIT_EXCEEDED");
    expect(done).to.deep.equal([]);
  });

  it("takes an approval that auth already has, and leads to its page instead of an error", async () => {
    const { done, outcome } = await start({ kept: "attached", told: approved, after: "approved" });
    expect(outcome).to.equal(`approved ${PAGE}`);
    expect(done).to.deep.equal(["asked", `took ${APPROVAL.id}`]);
  });

  it("leads to that page also when the approval was taken meanwhile", async () => {
    const { done, outcome } = await start({ kept: refused, told: approved, after: "approved" });
    expect(outcome).to.equal(`approved ${PAGE}`);
    expect(done).to.deep.equal(["asked"]);
  });

  it("is refused when the approval was not taken, or the payment is gone", async () => {
    const over = await start({ kept: "attached", told: approved, after: "entered" });
    expect(over.outcome).to.equal("AUTH_LIMIT_EXCEEDED");
    const gone = await start({ kept: { result: "unknown" }, told: approved, after: "gone" });
    expect(gone.outcome).to.equal("ID_NOT_FOUND");
  });

  it("takes another outcome that auth already has, and is refused (COBS 3.2.10)", async () => {
    const { done, outcome } = await start({ kept: "attached", told: { state: "expired" } });
    expect(outcome).to.equal("AUTH_LIMIT_EXCEEDED");
    expect(done).to.deep.equal(["asked", `expired ${REQUEST}`]);
  });
});
