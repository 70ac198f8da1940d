import { parseAmount, parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { WaitingSpan } from "../../packages/resource/src/payments/ended-waiting.ts";
import type { OverduePayment } from "../../packages/resource/src/payments/overdue-payments.ts";
import type { PaymentTerms } from "../../packages/resource/src/payments/payment.ts";
import { createPaymentId, createSignId } from "../../packages/resource/src/payments/payment-ids.ts";
import type { EntryOutcome } from "../../packages/resource/src/payments/payment-store.ts";
import {
  ABROAD,
  approvalNamed,
  approvalOf,
  by,
  digestOf,
  LIFETIME,
  later,
  NOW,
  requestNamed,
  sampleTerms,
} from "../resource/payments/sample-payments.ts";
import { expireOverdue, openPaymentProcesses, ownedOf, type PaymentProcesses } from "./payment-processes.ts";

const DAY = 24 * 60;
const key = (text: string, body = "body") => ({ key: text, bodyHash: digestOf(body) });
const idOf = (outcome: EntryOutcome) => ("payment" in outcome ? outcome.payment.id : undefined);

describe("Payment store", () => {
  let processes: PaymentProcesses;
  before(async () => {
    processes = await openPaymentProcesses();
  });
  after(() => processes.close());

  describe("when entering a payment", () => {
    it("keeps it with all of its terms, to the last digit, for every process (A-70)", async () => {
      const order = { ...ABROAD, instructionIdentification: "TPP-abroad" };
      const fee = parseAmount({ value: "250.00", currency: "CZK" });
      const { terms, owned, signId } = await processes.enter({ order, fee, changed: true });
      expect(await processes.other.find(owned)).to.deep.equal({
        ...terms,
        state: "entered",
        signId,
        earlierSignIds: [],
        signing: { state: "open" },
      });
      expect(await processes.movesOf(terms)).to.deep.equal(["enter"]);
    });

    it("refuses an instruction identification that the TPP has used, and names the payment (AM05)", async () => {
      const { terms } = await processes.enter();
      const again = sampleTerms({ order: terms.order });
      const entry = { signId: createSignId(), idempotency: undefined };
      expect(await processes.other.enter(again, entry, by())).to.deep.equal({
        result: "duplicate",
        paymentId: terms.id,
      });
      expect(await processes.one.find(ownedOf(again))).to.equal(undefined);
    });

    it("takes the same instruction identification from another TPP", async () => {
      const { terms } = await processes.enter();
      const organisationIdentifier = parseOrganisationIdentifier("PSDCZ-CNB-2");
      const other = await processes.enter({ order: terms.order, organisationIdentifier });
      for (const { id, organisationIdentifier, order } of [terms, other.terms]) {
        const entry = { signId: createSignId(), idempotency: undefined };
        const again = await processes.one.enter(sampleTerms({ organisationIdentifier, order }), entry, by());
        expect(again).to.deep.equal({ result: "duplicate", paymentId: id });
      }
    });

    it("answers the same key with the same payment as it was at first, whatever has become of it", async () => {
      const terms = sampleTerms();
      const entry = { signId: createSignId(), idempotency: key("key-1") };
      const first = await processes.one.enter(terms, entry, by());
      const again = sampleTerms({ order: terms.order });
      const enterAgain = () => processes.other.enter(again, { ...entry, signId: createSignId() }, by(1));
      const requestId = requestNamed(`R-${terms.id}`);
      await processes.one.attachRequest(ownedOf(terms), { signId: entry.signId, requestId }, by());
      await processes.one.takeExpiry(requestId, by());
      await processes.one.openSigning(ownedOf(terms), createSignId(), by());
      expect(await enterAgain()).to.deep.equal({ ...first, result: "replayed" });
      await processes.one.delete(ownedOf(terms), by());
      const second = await enterAgain();
      expect(second).to.deep.equal({ ...first, result: "replayed" });
      expect(idOf(second)).to.equal(terms.id);
    });

    it("refuses a key with another body, for another PSU, or for another application", async () => {
      const idempotency = key("key-2");
      const signId = createSignId();
      await processes.one.enter(sampleTerms(), { signId, idempotency }, by());
      const enter = (terms = sampleTerms(), body = "body") =>
        processes.one.enter(terms, { signId, idempotency: key("key-2", body) }, by());
      const reused = { result: "key_reused" };
      expect(await enter(undefined, "another body")).to.deep.equal(reused);
      expect(await enter(sampleTerms({ psu: parsePsuId("another") }))).to.deep.equal(reused);
      expect(await enter(sampleTerms({ applicationId: parseApplicationId("another") }))).to.deep.equal(
        reused,
      );
    });

    it("keeps keys of one TPP apart from those of another", async () => {
      const entry = { signId: createSignId(), idempotency: key("key-3") };
      const terms = sampleTerms();
      await processes.one.enter(terms, entry, by());
      const organisationIdentifier = parseOrganisationIdentifier("PSDCZ-CNB-3");
      const other = sampleTerms({ organisationIdentifier });
      expect((await processes.one.enter(other, entry, by())).result).to.equal("entered");
      expect(idOf(await processes.one.enter(sampleTerms(), entry, by(1)))).to.equal(terms.id);
      const again = sampleTerms({ organisationIdentifier });
      expect(idOf(await processes.one.enter(again, entry, by(1)))).to.equal(other.id);
    });

    it("leaves the key of a duplicate free for the corrected request", async () => {
      const { terms } = await processes.enter();
      const entry = { signId: createSignId(), idempotency: key("key-4") };
      const duplicate = await processes.one.enter(sampleTerms({ order: terms.order }), entry, by());
      expect(duplicate.result).to.equal("duplicate");
      const right = { ...entry, idempotency: key("key-4", "another body") };
      expect((await processes.one.enter(sampleTerms(), right, by())).result).to.equal("entered");
    });

    it("accepts a key anew after a day", async () => {
      const entry = { signId: createSignId(), idempotency: key("key-5") };
      await processes.one.enter(sampleTerms(), entry, by());
      const last = await processes.one.enter(sampleTerms(), entry, by(DAY - 1));
      expect(last.result).to.equal("replayed");
      expect((await processes.one.enter(sampleTerms(), entry, by(DAY))).result).to.equal("entered");
    });

    it("accepts a key anew when its payment was deleted earlier", async () => {
      const entry = { signId: createSignId(), idempotency: key("key-6") };
      const terms = sampleTerms();
      await processes.one.enter(terms, entry, by());
      await processes.one.delete(ownedOf(terms), by());
      await processes.forgetFinished();
      expect(await processes.movesOf(terms)).to.deep.equal([]);
      expect((await processes.one.enter(sampleTerms(), entry, by(1))).result).to.equal("entered");
      const replayed = await processes.other.enter(sampleTerms(), entry, by(2));
      expect(replayed.result).to.equal("replayed");
    });
  });

  describe("when finding a payment", () => {
    it("shows it to its TPP and its PSU, and to nobody else (COBS 3.2.5 to 3.2.11)", async () => {
      const { terms, owned } = await processes.enter();
      const { id, organisationIdentifier } = terms;
      expect(await processes.one.find({ id, organisationIdentifier })).to.have.property("id", id);
      const strangers = [
        { ...owned, organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-9") },
        { ...owned, psu: parsePsuId("another") },
        { ...owned, id: createPaymentId() },
      ];
      for (const each of strangers) expect(await processes.one.find(each)).to.equal(undefined);
    });

    it("shows it as expired once that is recorded, and starts nothing for it before", async () => {
      const { terms, owned, signId } = await processes.enter();
      const request = { signId, requestId: requestNamed(`R-${terms.id}`) };
      expect(await processes.other.attachRequest(owned, request, by(LIFETIME))).to.deep.equal({
        result: "refused",
        reason: "wrong_state",
      });
      expect((await processes.one.find(owned))?.state).to.equal("entered");
      await expireOverdue(processes.other, 1_000, by(LIFETIME));
      expect((await processes.one.find(owned))?.state).to.equal("expired");
      expect(await processes.movesOf(terms)).to.deep.equal(["enter", "expire"]);
    });

    it("waits for auth's verdict on an overdue payment whose order is found there", async () => {
      const { terms, owned, signId } = await processes.enter();
      const [unknown, ended] = [await processes.enter(), await processes.ask()];
      await processes.one.takeExpiry(ended.requestId, by(1));
      const find = async (signing: OverduePayment["signing"]) => {
        const wanted = { signing, limit: 1_000, after: undefined };
        return (await processes.other.findOverdue(wanted, by(LIFETIME))).overdue;
      };
      const overdue = await find("open");
      const found = overdue.find(({ paymentId }) => paymentId === terms.id);
      const { id: paymentId, expiresAt } = terms;
      expect(found).to.deep.equal({ paymentId, expiresAt, signId, signing: "open" });
      const over = await find("ended");
      expect(over.find((each) => each.paymentId === ended.terms.id)?.signing).to.equal("ended");
      const isOf = (one: OverduePayment["signing"]) => (each: OverduePayment) => each.signing === one;
      expect([overdue.every(isOf("open")), over.every(isOf("ended"))]).to.deep.equal([true, true]);
      if (found === undefined) throw new TypeError("it is not overdue");
      const requestId = requestNamed(`R-${paymentId}`);
      expect(await processes.one.attachKnown(found, requestId, by(LIFETIME))).to.equal(true);
      expect(await processes.other.attachKnown(found, requestNamed("R-other"), by(LIFETIME))).to.equal(false);
      // As another process does that had not found it.
      const { ended: expired } = await processes.other.expireUnsigned(overdue, by(LIFETIME));
      expect(expired).to.include(unknown.terms.id).and.to.not.include(paymentId);
      const given = approvalOf(terms.digest, requestId, { approvedAt: later(LIFETIME - 1) });
      expect((await processes.one.takeApproval(given, by(LIFETIME))).result).to.equal("taken");
      expect((await processes.one.find(owned))?.state).to.equal("approved");
      expect(await processes.one.attachKnown(found, requestId, by(LIFETIME))).to.equal(false);
    });

    it("waits for auth's verdict on a payment known there, also beyond its time", async () => {
      const { owned } = await processes.ask();
      expect((await processes.one.find(owned))?.state).to.equal("entered");
    });
  });

  describe("when signing", () => {
    it("opens no new attempt while one is open (COBS 3.2.8)", async () => {
      const { owned, signId } = await processes.enter();
      const outcome = await processes.one.openSigning(owned, createSignId(), by());
      expect(outcome).to.have.nested.property("payment.signId", signId);
    });

    it("opens a new attempt when a request has expired at auth, and takes its approval", async () => {
      const { terms, owned, signId, requestId } = await processes.ask();
      expect((await processes.one.takeExpiry(requestId, by(1))).result).to.equal("taken");
      const next = createSignId();
      const opened = await processes.other.openSigning(owned, next, by(2));
      expect(opened).to.deep.nested.include({ "payment.signId": next, "payment.earlierSignIds": [signId] });
      const again = requestNamed(`R2-${terms.id}`);
      await processes.one.attachRequest(owned, { signId: next, requestId: again }, by(3));
      const approval = approvalOf(terms.digest, again);
      expect((await processes.one.takeApproval(approval, by(4))).result).to.equal("taken");
      const moves = ["enter", "ask", "end_signing", "open_signing", "ask", "approve"];
      expect(await processes.movesOf(terms)).to.deep.equal(moves);
      const told = (await processes.one.movesOf(terms.id)).map(({ cause, facts }) => ({ cause, facts }));
      expect(told.slice(1, -1)).to.deep.equal([
        { cause: undefined, facts: { signId, signingRequestId: requestId } },
        { cause: "expired", facts: {} },
        { cause: undefined, facts: { signId: next } },
        { cause: undefined, facts: { signId: next, signingRequestId: again } },
      ]);
    });

    it("does not know a payment that was deleted meanwhile", async () => {
      const { owned, signId } = await processes.enter();
      const signing = { signId, requestId: requestNamed(`R-${owned.id}`) };
      await processes.one.delete(owned, by());
      const unknown = { result: "unknown" };
      expect(await processes.other.attachRequest(owned, signing, by(1))).to.deep.equal(unknown);
      expect(await processes.other.openSigning(owned, createSignId(), by(1))).to.deep.equal(unknown);
    });

    it("keeps one request, and reports that when another one comes", async () => {
      const { terms, owned, signId, requestId } = await processes.ask();
      const same = await processes.other.attachRequest(owned, { signId, requestId }, by(1));
      expect(same.result).to.equal("done");
      const other = { signId, requestId: requestNamed(`R2-${terms.id}`) };
      expect(await processes.one.attachRequest(owned, other, by(1))).to.deep.equal({
        result: "refused",
        reason: "asked",
      });
      const ofAnother = { signId: createSignId(), requestId };
      expect(await processes.one.attachRequest(owned, ofAnother, by(1))).to.deep.equal({
        result: "refused",
        reason: "signing_ended",
      });
      expect(await processes.movesOf(terms)).to.deep.equal(["enter", "ask"]);
    });

    it("rejects the payment for good when the PSU has refused", async () => {
      const { owned, requestId } = await processes.ask();
      expect((await processes.one.takeRefusal(requestId, "declined", by(1))).result).to.equal("taken");
      expect((await processes.one.takeRefusal(requestId, "declined", by(2))).result).to.equal("over");
      expect(await processes.one.find(owned)).to.deep.include({
        state: "rejected",
        rejection: { by: "psu", reason: "declined", requestId },
      });
    });

    it("expires the payment when a request has expired and the payment's time is over too", async () => {
      const { terms, requestId } = await processes.ask();
      await processes.one.takeExpiry(requestId, by(LIFETIME));
      expect(await processes.movesOf(terms)).to.deep.equal(["enter", "ask", "end_signing", "expire"]);
    });

    it("leaves the payment waiting when its time is over only by the clock of a process that is ahead", async () => {
      const { terms, owned, requestId } = await processes.ask({ expiresAt: new Date(Date.now() + 60_000) });
      const ahead = { now: new Date(Date.now() + 2 * 60_000), requestId: undefined };
      expect((await processes.one.takeCancellation(requestId, ahead)).result).to.equal("taken");
      expect(await processes.movesOf(terms)).to.deep.equal(["enter", "ask", "end_signing"]);
      expect((await processes.other.openSigning(owned, createSignId(), by(1))).result).to.equal("done");
    });

    it("opens no new attempt once the payment's time is over, even before that is recorded", async () => {
      const { terms, owned, requestId } = await processes.ask();
      await processes.one.takeExpiry(requestId, by(1));
      const outcome = await processes.other.openSigning(owned, createSignId(), by(LIFETIME));
      expect(outcome).to.deep.equal({ result: "refused", reason: "wrong_state" });
      expect(await processes.movesOf(terms)).to.deep.equal(["enter", "ask", "end_signing"]);
    });

    it("gives each request to look up to one caller, and marks the overdue ones", async () => {
      const { terms, requestId, signId } = await processes.ask();
      const input = { limit: 1_000, leaseMilliseconds: 60_000 };
      const find = async (minutes: number) =>
        (await processes.one.dueForLookUp(input, by(minutes))).filter(
          ({ paymentId }) => paymentId === terms.id,
        );
      expect(await find(1)).to.deep.equal([]);
      await processes.wait(1);
      const open = { paymentId: terms.id, signId, requestId, isOverdue: false };
      expect(await find(1)).to.deep.equal([open]);
      expect(await find(1)).to.deep.equal([]);
      await processes.wait(1);
      expect(await find(LIFETIME)).to.deep.equal([{ ...open, isOverdue: true }]);
      await processes.one.takeCancellation(requestId, by(LIFETIME));
      await processes.wait(1);
      expect(await find(2 * LIFETIME)).to.deep.equal([]);
    });

    it("does not leave a request to look up to a time that only a clock ahead can have written", async () => {
      const { requestId } = await processes.ask();
      const input = { limit: 1_000, leaseMilliseconds: 30_000 };
      const find = async () =>
        (await processes.other.dueForLookUp(input, by(0))).filter((due) => due.requestId === requestId);
      await processes.wait(-11);
      expect(await find()).to.have.length(1);
      expect(await find()).to.deep.equal([]);
    });

    it("gives a request to look up as soon to a caller whose clock is behind", async () => {
      const { owned, signId } = await processes.enter();
      const requestId = requestNamed(`R-${owned.id}`);
      await processes.one.attachRequest(owned, { signId, requestId }, by(LIFETIME - 1));
      await processes.wait(0.2);
      const input = { limit: 1_000, leaseMilliseconds: 30_000 };
      const due = await processes.other.dueForLookUp(input, by(0));
      expect(due.map((request) => request.requestId)).to.include(requestId);
    });
  });

  describe("when an approval arrives", () => {
    it("hands the payment to execution, with who approved what in its record", async () => {
      const { terms, owned, requestId } = await processes.ask();
      const approval = approvalOf(terms.digest, requestId);
      const outcome = await processes.other.takeApproval(approval, by(1));
      expect(outcome).to.deep.equal({ result: "taken", paymentId: terms.id });
      expect(await processes.outboxOf(terms)).to.equal(1);
      expect(await processes.one.find(owned)).to.deep.include({ state: "approved", approval });
      const [, , approved] = await processes.one.movesOf(terms.id);
      const digest = terms.digest.toString("base64url");
      expect(approved).to.deep.include({ number: 3, by: "psu", before: "entered", after: "approved" });
      expect(approved?.at).to.deep.equal(later(1));
      expect(approved?.facts).to.deep.include({
        approvalId: approval.id,
        approvedDigest: digest,
        orderDigest: digest,
      });
    });

    it("recognises an approval that it has taken, and changes nothing", async () => {
      const { terms, requestId } = await processes.approve();
      const again = await processes.other.takeApproval(approvalOf(terms.digest, requestId), by(5));
      expect(again).to.deep.equal({ result: "known", paymentId: terms.id });
      expect(await processes.outboxOf(terms)).to.equal(1);
    });

    it("leaves a payment ended that its PSU has refused, and gives it no place before the bank", async () => {
      const { terms, owned, requestId } = await processes.ask();
      await processes.one.takeRefusal(requestId, "declined", by(1));
      const outcome = await processes.other.takeApproval(approvalOf(terms.digest, requestId), by(1));
      expect(outcome).to.deep.equal({ result: "over", paymentId: terms.id });
      expect(await processes.outboxOf(terms)).to.equal(0);
      expect((await processes.one.find(owned))?.state).to.equal("rejected");
    });

    it("does not know a request that nobody was sent to", async () => {
      const approval = approvalOf(digestOf("order"), requestNamed("nobody"));
      expect(await processes.one.takeApproval(approval, by())).to.deep.equal({ result: "unknown" });
    });

    it("refuses an approval given after the time was over", async () => {
      const { terms, requestId } = await processes.ask();
      const late = approvalOf(terms.digest, requestId, { approvedAt: terms.expiresAt });
      const outcome = await processes.one.takeApproval(late, by(LIFETIME));
      expect(outcome).to.deep.include({ result: "refused", reason: "approval_late" });
    });

    it("takes an approval that was given in time, however late it arrives", async () => {
      const { terms, requestId } = await processes.ask();
      const given = approvalOf(terms.digest, requestId, { approvedAt: later(LIFETIME - 1) });
      await expireOverdue(processes.one, 1_000, by(2 * LIFETIME));
      expect((await processes.one.takeApproval(given, by(3 * LIFETIME))).result).to.equal("taken");
    });

    it("refuses the approval of another payment, and rejects the one that it came for (PAY-07)", async () => {
      const used = await processes.approve();
      const { terms, owned, requestId } = await processes.ask();
      const id = approvalNamed(`A-${used.requestId}`);
      const outcome = await processes.one.takeApproval(approvalOf(terms.digest, requestId, { id }), by(1));
      expect(outcome).to.deep.equal({ result: "refused", paymentId: terms.id, reason: "approval_used" });
      expect((await processes.one.find(owned))?.state).to.equal("rejected");
      expect(await processes.outboxOf(terms)).to.equal(0);
    });

    it("refuses an approval of other bytes, and rejects the payment (RTS Article 5(1)(d))", async () => {
      const { terms, requestId } = await processes.ask();
      const outcome = await processes.one.takeApproval(approvalOf(digestOf("other"), requestId), by(1));
      expect(outcome).to.deep.include({ result: "refused", reason: "digest_mismatch" });
      expect(await processes.outboxOf(terms)).to.equal(0);
    });
  });

  describe("when deleting", () => {
    it("hides a payment from its owners, and keeps its instruction identification taken", async () => {
      const { terms, owned } = await processes.enter();
      expect(await processes.one.delete(owned, by())).to.deep.equal({ result: "deleted" });
      expect(await processes.other.find(owned)).to.equal(undefined);
      expect(await processes.one.delete(owned, by())).to.deep.equal({ result: "unknown" });
      const entry = { signId: createSignId(), idempotency: undefined };
      const again = await processes.one.enter(sampleTerms({ order: terms.order }), entry, by());
      expect(again.result).to.equal("duplicate");
    });

    it("waits until auth confirms that nobody can approve it any more", async () => {
      const { owned, requestId } = await processes.ask();
      expect(await processes.one.delete(owned, by())).to.deep.equal({ result: "asked", requestId });
      await processes.one.takeCancellation(requestId, by());
      expect(await processes.one.delete(owned, by())).to.deep.equal({ result: "deleted" });
    });

    it("leaves approved and ended payments as they are (A-64)", async () => {
      const { owned } = await processes.approve();
      expect(await processes.one.delete(owned, by())).to.deep.equal({ result: "wrong_state" });
      const expired = await processes.enter();
      const late = await processes.one.delete(expired.owned, by(LIFETIME));
      expect(late).to.deep.equal({ result: "wrong_state" });
    });
  });

  describe("at the end of a consent that payments depend on (PSD2 Article 80(2))", () => {
    const rejected = { state: "rejected", rejection: { by: "consent", reason: "consent_ended" } };
    const alone = (name: string) => ({ applicationId: parseApplicationId(name) });

    it("rejects waiting payments of one application and PSU, and names the requests of those known to auth", async () => {
      const of = alone("one");
      const [open, asked, other] = [
        await processes.enter(of),
        await processes.ask(of),
        await processes.enter(),
      ];
      expect(await processes.one.waitingPayers(of)).to.deep.equal([
        { organisationIdentifier: open.terms.organisationIdentifier, psu: open.terms.psu, ...of },
      ]);
      expect(await processes.one.endWaiting(open.terms, by())).to.deep.equal({
        ended: [open.terms.id],
        asked: [asked.requestId],
      });
      expect(await processes.other.find(open.owned)).to.deep.include({
        ...rejected,
        rejection: { ...rejected.rejection, requestId: undefined },
      });
      expect((await processes.other.find(other.owned))?.state).to.equal("entered");
      expect((await processes.one.takeConsentEnd(asked.requestId, by())).result).to.equal("taken");
      const { requestId } = asked;
      const rejection = { ...rejected.rejection, requestId };
      expect(await processes.other.find(asked.owned)).to.deep.include({ ...rejected, rejection });
      expect(await processes.one.waitingPayers(of)).to.deep.equal([]);
      const last = (await processes.one.movesOf(asked.terms.id)).at(-1);
      expect(last).to.include({
        move: "end_consent",
        by: "server",
        cause: "consent_ended",
        after: "rejected",
      });
    });

    it("finds and rejects some of many in the order of their ids, and says where to go on", async () => {
      const of = alone("some");
      const entered = [await processes.enter(of), await processes.enter(of), await processes.enter(of)];
      const [payer] = await processes.one.waitingPayers(of);
      if (payer === undefined) throw new Error("nobody waits");
      const [first, second, third] = entered.map(({ terms }) => terms.id).toSorted();
      const find = async (span: WaitingSpan) =>
        (await processes.one.findUnasked(payer, span)).map(({ paymentId }) => paymentId);
      expect(await find({ limit: 2 })).to.deep.equal([first, second]);
      expect(await find({ after: first })).to.deep.equal([second, third]);
      const end = (span: WaitingSpan) => processes.one.endWaiting(payer, by(), span);
      expect(await end({ limit: 1 })).to.deep.equal({ ended: [first], asked: [], last: first });
      expect(await end({ after: first, until: second })).to.deep.equal({
        ended: [second],
        asked: [],
        last: second,
      });
      expect(await end({ after: first, limit: 2 })).to.deep.equal({ ended: [third], asked: [] });
    });

    it("leaves those of another PSU, application and TPP alone", async () => {
      const of = { ...alone("apart"), psu: parsePsuId("apart") };
      const { terms } = await processes.enter(of);
      const { organisationIdentifier, applicationId, psu } = terms;
      const payer = { organisationIdentifier, applicationId, psu };
      const others = [
        await processes.enter({ ...of, psu: parsePsuId("another") }),
        await processes.enter({ ...of, ...alone("another") }),
        await processes.enter({
          ...of,
          organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-7"),
        }),
      ];
      for (const [filter, payers] of [
        [{ psu }, 3],
        [{ organisationIdentifier, psu }, 2],
        [payer, 1],
      ] as const) {
        const waiting = await processes.one.waitingPayers(filter);
        expect(waiting).to.have.length(payers);
        for (const each of waiting) expect(each).to.include(filter);
      }
      expect((await processes.one.endWaiting(payer, by())).ended).to.deep.equal([terms.id]);
      for (const { owned } of others) expect((await processes.other.find(owned))?.state).to.equal("entered");
    });

    it("leaves approved and otherwise ended payments as they are", async () => {
      const of = alone("two");
      const [approved, deleted] = [await processes.approve(of), await processes.enter(of)];
      await processes.one.delete(deleted.owned, by());
      const late = await processes.ask(of);
      await processes.one.takeCancellation(late.requestId, by(1));
      expect(await processes.one.endWaiting(approved.terms, by(LIFETIME))).to.deep.equal({
        ended: [late.terms.id],
        asked: [],
      });
      expect(await processes.outboxOf(approved.terms)).to.equal(1);
      expect((await processes.movesOf(late.terms)).at(-1)).to.equal("expire");
      expect((await processes.movesOf(deleted.terms)).at(-1)).to.equal("delete");
      expect((await processes.one.takeConsentEnd(approved.requestId, by())).result).to.equal("over");
    });
  });

  describe("at the end of a consent, with overdue payments", () => {
    it("leaves a payment that auth was never asked about to expire, before which auth is asked", async () => {
      const of = { applicationId: parseApplicationId("beyond") };
      const { terms, owned } = await processes.enter(of);
      const none = { ended: [], asked: [] };
      expect(await processes.one.endWaiting(terms, by(LIFETIME))).to.deep.equal(none);
      expect((await processes.other.find(owned))?.state).to.equal("entered");
      expect((await processes.one.endWaiting(terms, by(LIFETIME - 1))).ended).to.deep.equal([terms.id]);
    });
  });

  describe("with a row that somebody has changed", () => {
    const changes: readonly (readonly [string, string])[] = [
      ["the amount of the order", `order_content = replace(order_content, '1500.50', '9500.50')`],
      ["the payee of the order", `order_content = replace(order_content, '192000145399', '192000145398')`],
      ["the bytes that were shown", `order_text = replace(order_text, '1500.50', '1.50')`],
      ["the day", `execution_date = '2026-08-04'`],
      ["what no page shows of the order", `order_content = replace(order_content, 'domestic', 'sepa')`],
      ["the account", `account_id = 'another'`],
      ["the PSU", `psu_id = 'another'`],
      ["an order that cannot be read any more", `order_content = '{'`],
    ];
    for (const [what, set] of changes) {
      it(`does not approve it: ${what}`, async () => {
        const { terms, requestId } = await processes.ask();
        await processes.tamper(terms, set);
        const approval = approvalOf(terms.digest, requestId);
        const outcome = await processes.one.takeApproval(approval, by(1));
        expect(outcome).to.deep.include({ result: "refused", reason: "digest_mismatch" });
        expect(await processes.outboxOf(terms)).to.equal(0);
        const moves = await processes.one.movesOf(terms.id);
        const { length, [length - 1]: last } = moves;
        expect(last).to.include({ move: "refuse_approval", cause: "digest_mismatch", after: "rejected" });
        expect(last?.facts).to.include({ approvalId: approval.id });
      });

      it(`does not hand it over: ${what}`, async () => {
        const { terms } = await processes.approve();
        await processes.tamper(terms, set);
        const lease = await processes.lease(terms, "hand_over");
        expect(await processes.one.handOver(lease, by(1))).to.deep.equal({ result: "refused" });
        expect(await processes.outboxOf(terms)).to.equal(0);
        expect((await processes.movesOf(terms)).at(-1)).to.equal("refuse_execution");
      });
    }

    it("does not hand over what somebody queued for execution without an approval", async () => {
      for (const { terms } of [await processes.enter(), await processes.ask()]) {
        const text = "INSERT INTO payment_outbox (payment_id, step, due_at) VALUES ($1, 'hand_over', $2)";
        await processes.database.run({ name: "smuggle", text, values: [terms.id, NOW] });
        const lease = await processes.lease(terms, "hand_over");
        expect(await processes.one.handOver(lease, by())).to.deep.equal({ result: "lost" });
        expect((await processes.one.movesOf(terms.id)).at(-1)?.after).to.equal("entered");
      }
    });

    const raise = async (terms: PaymentTerms) => {
      const order = { ...terms.order, amount: parseAmount({ value: "9500.50", currency: "CZK" }) };
      const { digest, orderText } = sampleTerms({ id: terms.id, order });
      await processes.tamper(terms, `order_content = replace(order_content, '1500.50', '9500.50')`);
      await processes.tamper(terms, `order_text = '${orderText}'`);
      await processes.tamper(terms, `digest = '\\x${digest.toString("hex")}'`);
      return digest;
    };

    it("does not approve it when bytes and digest were changed with the order: auth has the old ones", async () => {
      const { terms, requestId } = await processes.ask();
      await raise(terms);
      const outcome = await processes.one.takeApproval(approvalOf(terms.digest, requestId), by(1));
      expect(outcome).to.deep.include({ result: "refused", reason: "digest_mismatch" });
    });

    it("does not approve it when the day was changed with the bytes, and auth has got these", async () => {
      const { terms, requestId } = await processes.ask();
      const executionDate = "2026-08-04";
      const { digest, orderText } = sampleTerms({ id: terms.id, order: terms.order, executionDate });
      await processes.tamper(terms, `execution_date = '${executionDate}', order_text = '${orderText}'`);
      const outcome = await processes.one.takeApproval(approvalOf(digest, requestId), by(1));
      expect(outcome).to.deep.include({ result: "refused", reason: "digest_mismatch" });
    });

    it("does not approve it when auth has got the new bytes: they are not those that were entered", async () => {
      const { terms, requestId } = await processes.ask();
      const digest = await raise(terms);
      const outcome = await processes.one.takeApproval(approvalOf(digest, requestId), by(1));
      expect(outcome).to.deep.include({ result: "refused", reason: "digest_mismatch" });
      expect(await processes.outboxOf(terms)).to.equal(0);
    });
  });
});
