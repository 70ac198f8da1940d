import { ContentRefusal } from "@cobs/cobs-model";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { type ListBatch, PrivateServiceUnavailable, type Round } from "@cobs/service-edge";
import { expect } from "chai";
import type { PaymentStore } from "../../packages/resource/src/payments/payment-store.ts";
import { expireBatch } from "../../packages/resource/src/signing/expire-payments.ts";
import { followPaymentConsents } from "../../packages/resource/src/signing/follow-payment-consents.ts";
import { type QueuedPayers, queuePayers } from "../../packages/resource/src/signing/queue-payers.ts";
import { requireSigning } from "../../packages/resource/src/signing/require-signing.ts";
import type {
  SigningAuthority,
  SigningState,
} from "../../packages/resource/src/signing/signing-authority.ts";
import { startSigning } from "../../packages/resource/src/signing/start-signing.ts";
import { takeReport } from "../../packages/resource/src/signing/take-report.ts";
import { approvalOf, LIFETIME, later, requestNamed } from "../resource/payments/sample-payments.ts";
import { readableLog } from "../support/readable-log.ts";
import { openPaymentProcesses, type PaymentProcesses } from "./payment-processes.ts";

const PAYMENTS = 10;
type Entered = Awaited<ReturnType<PaymentProcesses["enter"]>>;

describe("Overdue payments whose outcome at auth is not yet known here", function overdue() {
  this.timeout(60_000);
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  beforeEach(() => processes.empty());
  after(() => processes.close());

  const keyOf = ({ terms: { id }, signId }: Entered) => `${id} ${signId}`;
  const at = (minutes: number) => ({ now: () => later(minutes), monotonicMilliseconds: () => 0 });
  const approvedState = ({ terms }: Entered): SigningState => ({
    state: "approved",
    approval: approvalOf(terms.digest, requestNamed(`R-${terms.id}`), { approvedAt: later(1) }),
  });

  /** An auth that has these requests, and takes others. */
  function authWith(kept: ReadonlyMap<string, SigningState>) {
    const states = new Map(kept);
    const idOf = (key: string) => requestNamed(`R-${key.split(" ")[0]}`);
    const reportOf = (key: string, state: SigningState) => ({
      ...state,
      requestId: idOf(key),
      url: `https://auth.example/sign/${idOf(key)}`,
    });
    const find: SigningAuthority["find"] = async (requestId) => {
      const [key, state] = [...states].find(([each]) => idOf(each) === requestId) ?? [];
      return key === undefined || state === undefined ? undefined : reportOf(key, state);
    };
    const authority = {
      ask: async ({ payment, signId }) => {
        const key = `${payment.id} ${signId}`;
        const state = states.get(key) ?? { state: "waiting" };
        states.set(key, state);
        return reportOf(key, state);
      },
      cancel: async (requestId) => {
        const report = await find(requestId);
        if (report?.state !== "waiting") return report;
        const key = [...states.keys()].find((each) => idOf(each) === requestId) ?? "";
        states.set(key, { state: "cancelled", because: undefined });
        return find(requestId);
      },
      find,
      findKnown: async (named) =>
        named.flatMap(({ paymentId, signId }) => {
          const key = `${paymentId} ${signId}`;
          return states.has(key) ? [{ paymentId, signId, requestId: idOf(key) }] : [];
        }),
    } satisfies Partial<SigningAuthority>;
    return { authority, states };
  }
  type Auth = ReturnType<typeof authWith>["authority"];

  /** One round of the job, a minute after the time was over; what is found at auth is taken. */
  async function expire(
    store: PaymentStore,
    authority: Pick<Auth, "find" | "findKnown">,
  ): Promise<ListBatch<unknown>> {
    const { log } = readableLog();
    const found: Parameters<Auth["find"]>[0][] = [];
    const queued = { put: (requestId: Parameters<Auth["find"]>[0]) => void found.push(requestId) };
    const clock = at(LIFETIME + 1);
    const batch = await expireBatch({ store, authority, queued, clock, log }, undefined);
    for (const requestId of found) {
      const report = await authority.find(requestId);
      await takeReport({ store, log }, { requestId, report }, { now: clock.now(), requestId: undefined });
    }
    return batch;
  }

  /** One round of ending the payments of a payer, whose consent has ended, so many minutes after the entry. */
  async function endConsent(authority: Auth, { terms }: Entered, minutes: number): Promise<void> {
    const { log } = readableLog();
    const payers: QueuedPayers = { ...queuePayers(), wait: async () => {} };
    const rounds: Round[] = [];
    followPaymentConsents({
      store: processes.one,
      authority: { ...authority, hasConsentEnded: async () => true },
      payers,
      clock: at(minutes),
      log,
      countJob: () => (round) => {
        rounds.push(round);
        return { stop: async () => {} };
      },
    });
    payers.put({ applicationId: terms.applicationId });
    await rounds[0]?.(new AbortController().signal);
  }

  /** What its authorization is found as in the last minute where it is signed; else what its start tells, undefined when refused. */
  async function start(
    store: PaymentStore,
    authority: Pick<Auth, "ask" | "cancel">,
    { terms, signId }: Entered,
  ) {
    const { log } = readableLog();
    const { id: paymentId, organisationIdentifier, psu } = terms;
    const owner = { organisationIdentifier, psu };
    const found = await requireSigning(store, { paymentId, signId, owner });
    if (found.state === "DONE") return found.payment.state;
    const tpp = { thumbprint: thumbprintOf(Buffer.of(1)), twinThumbprint: undefined };
    const call = { requestId: "request", traceContext: undefined };
    const input = { found, tpp, returnUrl: undefined, call };
    const starting = startSigning({ store, authority, clock: at(LIFETIME - 1), log }, input);
    return starting.then(
      ({ payment }) => payment.state,
      (error: unknown) => {
        if (error instanceof ContentRefusal) return undefined;
        throw error;
      },
    );
  }

  it("are executed if their PSUs have approved them, otherwise expire", async () => {
    const [approved, unknown] = [await processes.enter(), await processes.enter()];
    const { authority } = authWith(new Map([[keyOf(approved), approvedState(approved)]]));
    await expire(processes.one, authority);
    expect(await processes.movesOf(approved.terms)).to.deep.equal(["enter", "ask", "approve"]);
    expect(await processes.outboxOf(approved.terms)).to.equal(1);
    expect(await processes.movesOf(unknown.terms)).to.deep.equal(["enter", "expire"]);
  });

  for (const [when, minutes] of [
    ["in their time", 2],
    ["beyond it", LIFETIME + 1],
  ] as const)
    it(`are executed if their PSUs have approved them, though their consent has ended since, ${when}`, async () => {
      const [approved, waiting, unknown] = [
        await processes.enter(),
        await processes.enter(),
        await processes.enter(),
      ];
      const { authority } = authWith(
        new Map([
          [keyOf(approved), approvedState(approved)],
          [keyOf(waiting), { state: "waiting" }],
        ]),
      );
      await endConsent(authority, approved, minutes);
      expect(await processes.movesOf(approved.terms)).to.deep.equal(["enter", "ask", "approve"]);
      expect(await processes.outboxOf(approved.terms)).to.equal(1);
      const [, , cancelled, over] = await processes.movesOf(waiting.terms);
      expect([cancelled, over]).to.deep.equal(["end_signing", minutes === 2 ? "end_consent" : "expire"]);
      const rest = minutes === 2 ? ["enter", "end_consent"] : ["enter"];
      expect(await processes.movesOf(unknown.terms)).to.deep.equal(rest);
    });

  it("neither expire nor are reported as rejected while auth is away", async () => {
    const entered = await processes.enter();
    const away = async () => Promise.reject(new PrivateServiceUnavailable("auth", { cause: "away" }));
    await expire(processes.one, { find: away, findKnown: away });
    expect(await processes.one.find(entered.owned)).to.have.property("state", "entered");
    await expire(processes.one, authWith(new Map()).authority);
    expect(await processes.one.find(entered.owned)).to.have.property("state", "expired");
  });

  it("are approved once and shown as signed to each of fifty callers that start signing during expiry", async () => {
    const { authority, states } = authWith(new Map());
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      const entered = await processes.enter();
      states.set(keyOf(entered), approvedState(entered));
      const outcomes = await processes.fifty(async (store, place) => {
        if (place % 10 === 9) await expire(store, authority);
        return start(store, authority, entered);
      });
      expect(new Set(outcomes)).to.deep.equal(new Set(["approved"]));
      expect(await processes.movesOf(entered.terms)).to.deep.equal(["enter", "ask", "approve"]);
      expect(await processes.outboxOf(entered.terms)).to.equal(1);
    }
  });

  it("expire or wait for auth, never both, when fifty starts race their end", async () => {
    const { authority, states } = authWith(new Map());
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      const entered = await processes.enter();
      const expires = (place: number) => (payment % 2 === 0 ? place < 10 : place % 5 === 4);
      const outcomes = await processes.fifty(async (store, place) =>
        expires(place) ? void (await expire(store, authority)) : start(store, authority, entered),
      );
      const started = outcomes.filter((outcome) => outcome !== undefined);
      const moves = await processes.movesOf(entered.terms);
      if (moves.includes("expire")) {
        expect(moves).to.deep.equal(["enter", "expire"]);
        expect(started).to.deep.equal([]);
        expect(states.get(keyOf(entered))?.state).to.not.equal("waiting");
      } else {
        expect(moves).to.deep.equal(["enter", "ask"]);
        expect(states.get(keyOf(entered))?.state).to.equal("waiting");
      }
    }
  });
});
