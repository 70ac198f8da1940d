import { ContentRefusal } from "@cobs/cobs-model";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import type { SigningOutcome } from "../../../packages/resource/src/payments/payment-store.ts";
import { type StartParts, startSigning } from "../../../packages/resource/src/signing/start-signing.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { requestNamed, sampleTerms } from "../payments/sample-payments.ts";

const MINUTE = 60_000;
const REQUEST = requestNamed("R-1");

describe("Sending a PSU to auth", () => {
  /** What becomes of it where the store says so to auth's request, and what auth was asked. */
  async function start(attached: SigningOutcome, minutesLeft = 30) {
    const clock = movableClock();
    const done: string[] = [];
    const never = () => Promise.reject(new TypeError("nobody should take anything"));
    const parts: StartParts = {
      store: {
        takeApproval: never,
        takeRefusal: never,
        takeExpiry: never,
        takeCancellation: never,
        takeConsentEnd: never,
        attachRequest: async () => attached,
      },
      authority: {
        ask: async () => {
          done.push("asked");
          return { state: "waiting", requestId: REQUEST, url: "https://auth.example/sign/R-1" };
        },
        cancel: async (requestId) => {
          done.push(`cancelled ${requestId}`);
          return undefined;
        },
      },
      clock,
      log: readableLog().log,
    };
    const expiresAt = new Date(clock.now().getTime() + minutesLeft * MINUTE);
    const signId = createSignId();
    const signing = { state: "asked", requestId: REQUEST } as const;
    const state = { state: "entered", signId, earlierSignIds: [], signing, expiresAt } as const;
    const payment = { ...sampleTerms({ expiresAt }), ...state };
    const { id, organisationIdentifier, psu } = payment;
    const refusal = await rejectionOf(
      startSigning(parts, {
        found: { payment, signId, state: "OPEN", owned: { id, organisationIdentifier, psu } },
        tpp: { thumbprint: thumbprintOf(Buffer.of(1)), twinThumbprint: undefined },
        returnUrl: undefined,
        requestId: "request",
      }),
    );
    return { done, refusal };
  }

  it("takes the order back at auth when its payment is gone or over meanwhile: nobody shall find it there", async () => {
    const gone = await start({ result: "unknown" });
    expect(gone.done).to.deep.equal(["asked", `cancelled ${REQUEST}`]);
    expect(gone.refusal).to.be.instanceOf(ContentRefusal).with.property("message", "ID_NOT_FOUND");
    const over = await start({ result: "refused", reason: "wrong_state" });
    expect(over.done).to.deep.equal(["asked", `cancelled ${REQUEST}`]);
    expect(over.refusal).to.be.instanceOf(ContentRefusal).with.property("message", "AUTH_LIMIT_EXCEEDED");
  });

  it("asks nothing when the time to approve is over, of which auth may not have told yet (COBS 3.2.10)", async () => {
    const { done, refusal } = await start({ result: "unknown" }, 0);
    expect(refusal).to.be.instanceOf(ContentRefusal).with.property("message", "AUTH_LIMIT_EXCEEDED");
    expect(done).to.deep.equal([]);
  });
});
