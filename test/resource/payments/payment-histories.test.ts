import { expect } from "chai";
import fc from "fast-check";
import type { PaymentState, PaymentStateName } from "../../../packages/resource/src/payments/payment.ts";
import { createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { movePayment, type PaymentMove } from "../../../packages/resource/src/payments/payment-moves.ts";
import { PAYMENT_HISTORIES, PAYMENT_SEED } from "../../support/test-environment.ts";
import {
  approvalNamed,
  approvalOf,
  DISTANCE,
  digestOf,
  LIFETIME,
  later,
  requestNamed,
} from "./sample-payments.ts";

const ORDER = digestOf("the order");
const OTHER = digestOf("another order");
const SIGN_IDS = [createSignId(), createSignId(), createSignId()] as const;
const REQUESTS = [requestNamed("request-1"), requestNamed("request-2")] as const;

const signId = fc.constantFrom(...SIGN_IDS);
const requestId = fc.constantFrom(...REQUESTS);
const digest = fc.constantFrom(ORDER, ORDER, ORDER, OTHER);
const time = fc.integer({ min: 0, max: 2 * LIFETIME }).map(later);
const approval = fc
  .tuple(fc.constantFrom("A-1", "A-2"), requestId, digest, time)
  .map(([id, request, bytes, approvedAt]) =>
    approvalOf(bytes, request, { id: approvalNamed(id), approvedAt }),
  );
const move: fc.Arbitrary<PaymentMove> = fc.oneof(
  { arbitrary: fc.record({ move: fc.constant("ask"), signId, requestId }), weight: 4 },
  fc.record({ move: fc.constant("end_signing"), ending: fc.constantFrom("expired", "cancelled") }),
  fc.record({ move: fc.constant("open_signing"), signId }),
  { arbitrary: fc.record({ move: fc.constant("approve"), approval, orderDigest: digest }), weight: 4 },
  fc.record({ move: fc.constant("refuse"), reason: fc.constantFrom("declined", "tries_exhausted") }),
  fc.record({
    move: fc.constant("refuse_approval"),
    reason: fc.constantFrom("digest_mismatch", "approval_used", "approval_late"),
    approval,
    orderDigest: digest,
  }),
  fc.record({
    move: fc.constant("end_consent"),
    reason: fc.constant("consent_ended"),
    requestId: fc.option(requestId, { nil: undefined }),
  }),
  fc.record({ move: fc.constant("expire"), now: time }),
  fc.record({ move: fc.constant("delete") }),
  { arbitrary: fc.record({ move: fc.constant("hand_over"), orderDigest: digest }), weight: 4 },
  fc.record({
    move: fc.constant("refuse_execution"),
    reason: fc.constant("digest_mismatch"),
    orderDigest: digest,
  }),
  { arbitrary: fc.record({ move: fc.constant("accept") }), weight: 2 },
  fc.record({ move: fc.constant("complete"), entryReference: fc.constantFrom("E-1", undefined) }),
  fc.record({ move: fc.constant("reject"), reason: fc.constant("AM04") }),
);

/** What has happened to a payment, judged apart from the machine. */
interface Witness {
  state: PaymentState;
  /** The digests of the orders that went to the bank. */
  readonly sent: Buffer[];
  /** Approvals that were taken. */
  readonly taken: Buffer[];
  ends: number;
}

function begin(): Witness {
  const ids = { signId: SIGN_IDS[0], earlierSignIds: [] };
  const state = {
    ...ids,
    state: "entered",
    signing: { state: "open" },
    expiresAt: later(LIFETIME),
  } as const;
  return { state, sent: [], taken: [], ends: 0 };
}

/** Makes a move of any kind, and holds what follows against what must never be. */
function go(witness: Witness, made: PaymentMove): void {
  const before = witness.state;
  const outcome = movePayment(before, made);
  if ("refused" in outcome) return;
  const { state } = outcome;
  const [from, to] = [DISTANCE[before.state], DISTANCE[state.state]];
  expect(to, `${before.state} by ${made.move}`).to.be.at.least(from);
  if (to === from && made.move !== "hand_over") expect(state.state).to.equal("entered");
  if (to === 4) witness.ends += 1;
  if (made.move === "approve") witness.taken.push(made.approval.digest);
  if (made.move === "hand_over") witness.sent.push(made.orderDigest);
  witness.state = state;
}

describe("Any history of a payment", () => {
  const seen = new Map<PaymentStateName, number>();
  const histories = fc.array(move, { minLength: 1, maxLength: 40 });

  it(`never goes back, ends once, and reaches the bank only by approval of the same bytes: ${PAYMENT_HISTORIES} of them`, () => {
    fc.assert(
      fc.property(histories, (moves) => {
        const witness = begin();
        for (const made of moves) go(witness, made);
        const { state, sent, taken, ends } = witness;
        expect(ends).to.be.at.most(1);
        expect(taken.length).to.be.at.most(1);
        for (const bytes of sent) expect(taken).to.deep.equal([bytes]);
        if (state.state === "completed" || state.state === "accepted") expect(sent).not.to.deep.equal([]);
        seen.set(state.state, (seen.get(state.state) ?? 0) + 1);
      }),
      { numRuns: PAYMENT_HISTORIES, seed: PAYMENT_SEED },
    );
    // So that this speaks of all states.
    expect([...seen.keys()]).to.have.members(Object.keys(DISTANCE));
  });
});
