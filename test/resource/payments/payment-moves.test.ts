import { expect } from "chai";
import type {
  ApprovedState,
  EnteredState,
  PaymentState,
} from "../../../packages/resource/src/payments/payment.ts";
import { createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import {
  MOST_SIGNINGS,
  MOVES_FROM,
  movePayment,
  type PaymentMove,
} from "../../../packages/resource/src/payments/payment-moves.ts";
import { approvalOf, digestOf, LIFETIME, later, requestNamed } from "./sample-payments.ts";

const signId = createSignId();
const requestId = requestNamed("request-1");
const digest = digestOf("order");
const approval = approvalOf(digest, requestId);

const ids = { signId, earlierSignIds: [] };
const OPEN: EnteredState = {
  ...ids,
  state: "entered",
  signing: { state: "open" },
  expiresAt: later(LIFETIME),
};
const ASKED: EnteredState = { ...OPEN, signing: { state: "asked", requestId } };
const ENDED: EnteredState = { ...OPEN, signing: { state: "ended", requestId, ending: "expired" } };
const APPROVED: ApprovedState = { ...ids, state: "approved", approval };
const STATES: readonly PaymentState[] = [
  OPEN,
  APPROVED,
  { ...ids, state: "handed_over", approval },
  { ...ids, state: "accepted", approval },
  { ...ids, state: "completed", approval, entryReference: "E-1" },
  { ...ids, state: "rejected", rejection: { by: "psu", reason: "declined", requestId } },
  { ...ids, state: "expired" },
  { ...ids, state: "deleted" },
];
const MOVES: readonly PaymentMove[] = [
  { move: "ask", signId, requestId },
  { move: "end_signing", ending: "cancelled" },
  { move: "open_signing", signId: createSignId() },
  { move: "approve", approval, orderDigest: digest },
  { move: "refuse", reason: "declined" },
  { move: "refuse_approval", reason: "digest_mismatch", approval, orderDigest: undefined },
  { move: "end_consent", reason: "consent_ended", requestId: undefined },
  { move: "expire", now: later(LIFETIME) },
  { move: "delete" },
  { move: "hand_over", orderDigest: digest },
  { move: "refuse_execution", reason: "digest_mismatch", orderDigest: undefined },
  { move: "accept" },
  { move: "complete", entryReference: "E-1" },
  { move: "reject", reason: "AM04" },
];

function moved(state: PaymentState, move: PaymentMove): PaymentState | undefined {
  const outcome = movePayment(state, move);
  return "state" in outcome ? outcome.state : undefined;
}
function refused(state: PaymentState, move: PaymentMove): string | undefined {
  const outcome = movePayment(state, move);
  return "refused" in outcome ? outcome.refused : undefined;
}

describe("A move of a payment (COBS 3.2.5)", () => {
  for (const state of STATES) {
    it(`is refused as wrong from ${state.state} exactly where the table does not have it`, () => {
      const allowed: readonly string[] = MOVES_FROM[state.state];
      const wrong = MOVES.filter((move) => refused(state, move) === "wrong_state").map(({ move }) => move);
      expect(wrong).to.have.members(MOVES.map(({ move }) => move).filter((move) => !allowed.includes(move)));
    });
  }

  it("approves what auth was asked about, by an approval of the stored bytes (RTS Article 5)", () => {
    const outcome = moved(ASKED, { move: "approve", approval, orderDigest: digest });
    expect(outcome).to.deep.equal(APPROVED);
  });

  it("approves nothing with the digest of other bytes (RTS Article 5(1)(d))", () => {
    const other = digestOf("another order");
    expect(refused(ASKED, { move: "approve", approval, orderDigest: other })).to.equal("digest_mismatch");
    const forOther = { ...approval, digest: other };
    expect(refused(ASKED, { move: "approve", approval: forOther, orderDigest: digest })).to.equal(
      "digest_mismatch",
    );
  });

  it("approves nothing that auth was not asked about, nor under another request", () => {
    const other = { ...approval, requestId: requestNamed("request-2") };
    for (const state of [OPEN, ENDED])
      expect(refused(state, { move: "approve", approval, orderDigest: digest })).to.equal("not_asked");
    expect(refused(ASKED, { move: "approve", approval: other, orderDigest: digest })).to.equal("not_asked");
  });

  it("accepts no outcome of a request that auth does not have", () => {
    for (const move of MOVES.filter((each) =>
      ["end_signing", "refuse", "refuse_approval"].includes(each.move),
    ))
      for (const state of [OPEN, ENDED]) expect(refused(state, move), move.move).to.equal("not_asked");
  });

  it("accepts no approval given after the time was over", () => {
    const late = { ...approval, approvedAt: later(LIFETIME) };
    expect(refused(ASKED, { move: "approve", approval: late, orderDigest: digest })).to.equal(
      "approval_late",
    );
  });

  it("neither expires nor deletes what may be approved at this very moment", () => {
    expect(refused(ASKED, { move: "expire", now: later(LIFETIME) })).to.equal("asked");
    expect(refused(ASKED, { move: "delete" })).to.equal("asked");
  });

  it("ends what depends on a consent, but waits for auth's word while auth has it (PSD2 Article 80(2))", () => {
    const end = { move: "end_consent", reason: "consent_ended", requestId: undefined } as const;
    expect(moved(OPEN, end)).to.deep.equal({
      ...ids,
      state: "rejected",
      rejection: { by: "consent", reason: "consent_ended", requestId: undefined },
    });
    expect(refused(ASKED, end)).to.equal("asked");
    expect(refused(ASKED, { ...end, requestId: requestNamed("request-2") })).to.equal("asked");
    const rejection = { by: "consent", reason: "consent_ended", requestId };
    for (const state of [ASKED, ENDED])
      expect(moved(state, { ...end, requestId })).to.deep.equal({ ...ids, state: "rejected", rejection });
    expect(moved(ENDED, end)).to.deep.equal({ ...ids, state: "rejected", rejection });
    expect(refused(APPROVED, { ...end, requestId })).to.equal("wrong_state");
  });

  it("expires a payment at the end of its time, and not before", () => {
    const last = new Date(later(LIFETIME).getTime() - 1);
    expect(refused(OPEN, { move: "expire", now: last })).to.equal("not_expired");
    expect(moved(ENDED, { move: "expire", now: later(LIFETIME) })?.state).to.equal("expired");
  });

  it("asks auth once for each attempt, and again only under the same request", () => {
    expect(moved(OPEN, { move: "ask", signId, requestId })).to.deep.equal(ASKED);
    expect(moved(ASKED, { move: "ask", signId, requestId })).to.deep.equal(ASKED);
    const other = requestNamed("request-2");
    expect(refused(ASKED, { move: "ask", signId, requestId: other })).to.equal("asked");
    expect(refused(OPEN, { move: "ask", signId: createSignId(), requestId })).to.equal("signing_ended");
    expect(refused(ENDED, { move: "ask", signId, requestId: other })).to.equal("signing_ended");
  });

  it("opens a new attempt after the last one has ended, and keeps the earlier ones (COBS 3.2.8)", () => {
    const next = createSignId();
    const expected = { ...OPEN, signId: next, earlierSignIds: [signId] };
    expect(moved(ENDED, { move: "open_signing", signId: next })).to.deep.equal(expected);
    for (const state of [OPEN, ASKED])
      expect(refused(state, { move: "open_signing", signId: next })).to.equal("not_ended");
  });

  it("opens no more attempts than the maximum", () => {
    let state: PaymentState = ENDED;
    for (let attempt = 1; attempt < MOST_SIGNINGS; attempt += 1) {
      state = moved(state, { move: "open_signing", signId: createSignId() }) ?? state;
      state = { ...ENDED, signId: state.signId, earlierSignIds: state.earlierSignIds };
    }
    expect(state.earlierSignIds).to.have.length(MOST_SIGNINGS - 1);
    expect(refused(state, { move: "open_signing", signId: createSignId() })).to.equal("signings_exhausted");
  });

  it("hands over exactly the bytes that were approved", () => {
    expect(moved(APPROVED, { move: "hand_over", orderDigest: digest })?.state).to.equal("handed_over");
    const other = { move: "hand_over", orderDigest: digestOf("another order") } as const;
    expect(refused(APPROVED, other)).to.equal("digest_mismatch");
  });

  it("keeps the approval of a payment that the bank rejects", () => {
    const state = moved({ ...ids, state: "accepted", approval }, { move: "reject", reason: "AM04" });
    const rejection = { by: "bank", reason: "AM04", approval };
    expect(state).to.deep.equal({ ...ids, state: "rejected", rejection });
  });

  it("leaves the state that it starts from unchanged", () => {
    const before = structuredClone(ASKED);
    for (const move of MOVES) movePayment(ASKED, move);
    expect(ASKED).to.deep.equal(before);
  });
});
