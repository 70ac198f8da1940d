import { expect } from "chai";
import fc from "fast-check";
import type { MadeMove } from "../../packages/resource/src/payments/made-move.ts";
import { DISTANCE } from "../resource/payments/sample-payments.ts";
import { PAYMENT_SEED, STORED_PAYMENT_HISTORIES } from "../support/test-environment.ts";
import { type Actor, anyHistory, playHistory } from "./payment-history.ts";
import { openPaymentProcesses, ownedOf, type PaymentProcesses } from "./payment-processes.ts";

const BEFORE_THE_BANK: readonly string[] = ["approved", "handed_over", "accepted"];

/** Numbers without a gap; each move from where the last one led to, never backwards, and none after an end. */
function judgeRecord(moves: readonly MadeMove[]): void {
  expect(moves.map(({ number }) => number)).to.deep.equal(moves.map((_, place) => place + 1));
  expect(moves.filter(({ move }) => move === "enter")).to.have.length(1);
  for (const [place, { before, after }] of moves.entries()) {
    expect(before).to.equal(moves[place - 1]?.after);
    if (before === undefined) continue;
    expect(DISTANCE[after]).to.be.at.least(DISTANCE[before]);
    expect(DISTANCE[before]).to.be.lessThan(DISTANCE.completed);
  }
}

describe("Any history of payments in a store", () => {
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());

  /** Holds what is kept of a payment against what must never be; gives its approvals and its state. */
  async function judge({ terms, given, sent }: Actor) {
    const moves = await processes.one.movesOf(terms.id);
    judgeRecord(moves);
    const approvals = moves.filter(({ move }) => move === "approve").map(({ facts }) => facts.approvalId);
    expect(approvals).to.deep.equal([...given.keys()]);
    for (const bytes of [...given.values(), ...sent]) expect(bytes).to.deep.equal(terms.digest);
    if (sent.length > 0) expect(approvals).to.have.length(1);
    const state = moves.at(-1)?.after ?? "deleted";
    expect(await processes.outboxOf(terms)).to.equal(BEFORE_THE_BANK.includes(state) ? 1 : 0);
    expect((await processes.other.find(ownedOf(terms)))?.state ?? "deleted").to.equal(state);
    return { approvals, state };
  }

  it(`only moves forward, uses approvals once, sends only approved orders: ${STORED_PAYMENT_HISTORIES} of them`, async function () {
    // A second or so for each; many times that where others need the machine too.
    this.timeout(60_000 + STORED_PAYMENT_HISTORIES * 20_000);
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(anyHistory(), async (acts) => {
      await processes.empty();
      const judged = await Promise.all((await playHistory(processes, acts)).map(judge));
      const approvals = judged.flatMap((each) => each.approvals);
      expect(new Set(approvals).size).to.equal(approvals.length);
      for (const { state } of judged) seen.set(state, (seen.get(state) ?? 0) + 1);
    });
    const runs = { numRuns: STORED_PAYMENT_HISTORIES, seed: PAYMENT_SEED, endOnFailure: true };
    await fc.assert(property, runs);
    // So that this speaks of all states.
    expect([...seen.keys()]).to.have.members(Object.keys(DISTANCE));
  });
});
