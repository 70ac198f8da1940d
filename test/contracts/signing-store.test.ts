import { parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import { MOST_TRIES } from "../../packages/auth/src/signing/judge-approval.ts";
import { parseOrder } from "../../packages/auth/src/signing/order.ts";
import type { SigningRequest, SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../packages/auth/src/signing/signing-request-id.ts";
import type { SigningStore } from "../../packages/auth/src/signing/signing-store.ts";
import { canonicalOrder, DOMESTIC_ORDER, SEPA_ORDER } from "../auth/signing/sample-orders.ts";
import { eventually } from "../support/eventually.ts";
import {
  by,
  later,
  NOW,
  openSigningStores,
  requestsIn,
  type SigningStores,
  wrong,
} from "./signing-stores.ts";

describe("Signing store", () => {
  let stores: SigningStores;
  let databases: readonly [Database, Database];
  let one: SigningStore;
  let other: SigningStore;
  before(async () => {
    stores = await openSigningStores();
    ({ databases, one, other } = stores);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { newTerms, request, code, enter, stateOf, told, audited, waitingForLocks } = requestsIn(
    () => stores,
  );

  it("keeps a request with all of its terms, for every process", async () => {
    const terms = await request({ order: parseOrder(canonicalOrder(SEPA_ORDER)) });
    const waiting = { state: "waiting", code: undefined, codesMade: 0, tries: 0 };
    expect(await other.find(terms.id, NOW)).to.deep.equal({ ...terms, ...waiting });
    expect(await audited(terms)).to.deep.equal(["signing.requested"]);
  });

  it("keeps one request per payment and sign id when fifty come at once in two processes", async () => {
    const terms = newTerms();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? one : other).request({ ...terms, id: createSigningRequestId() }, by()),
      ),
    );
    expect(outcomes.filter(({ result }) => result === "created")).to.have.length(1);
    const ids = outcomes.map((outcome) => ("request" in outcome ? outcome.request.id : ""));
    expect(new Set(ids).size).to.equal(1);
  });

  it("refuses another order, PSU, TPP or application under known ids (RTS Article 5(1)(d))", async () => {
    const terms = await request();
    const changed: readonly Partial<SigningTerms>[] = [
      {
        order: parseOrder(
          canonicalOrder({ ...DOMESTIC_ORDER, paymentId: terms.paymentId, amount: "1500.51" }),
        ),
      },
      { psu: parsePsuId("another") },
      { organisationIdentifier: parseOrganisationIdentifier("PSDCZ-CNB-8") },
      { applicationId: createApplicationId() },
    ];
    for (const change of changed)
      expect(await other.request({ ...terms, id: createSigningRequestId(), ...change }, by())).to.deep.equal({
        result: "different",
      });
    const again = await other.request({ ...terms, id: createSigningRequestId(), expiresAt: later(60) }, by());
    expect(again.result).to.equal("known");
  });

  it("redirects to the last requested address while waiting, and logs no entry for each change of it (A-51)", async () => {
    const terms = await request();
    const elsewhere = { ...terms, returnUrl: "https://tpp.example/other" };
    for (const store of [one, other])
      expect(await store.request({ ...elsewhere, id: createSigningRequestId() }, by())).to.deep.include({
        result: "known",
        request: await other.find(terms.id, NOW),
      });
    expect(await other.find(terms.id, NOW)).to.include({ state: "waiting", returnUrl: elsewhere.returnUrl });
    expect(await audited(terms)).to.deep.equal(["signing.requested"]);
    await one.settle(terms.id, by(), () => ({ move: "refuse", reason: "declined" }));
    expect(await other.request(terms, by())).to.have.property("result", "known");
    expect(await other.find(terms.id, NOW)).to.include({ state: "refused", returnUrl: elsewhere.returnUrl });
  });

  it("notes every certificate that it comes with, and records each of them once (LOG-02)", async () => {
    const [first, second] = [thumbprintOf(Buffer.of(1)), thumbprintOf(Buffer.of(2))];
    const terms = await request({ certificates: [first] });
    const again = (change: Partial<SigningTerms>) =>
      other.request({ ...terms, id: createSigningRequestId(), ...change }, by());
    const elsewhere = { returnUrl: "https://tpp.example/other?state=1" };
    for (const certificates of [[second], [first, second], [first], []])
      await again({ certificates, ...elsewhere });
    expect(await one.find(terms.id, NOW)).to.deep.include({ certificates: [first, second], ...elsewhere });
    const text = "SELECT action, details::jsonb FROM audit_entry WHERE subject = $1 ORDER BY id";
    const entries = await databases[0].run<{ action: string; details: object }>({
      name: "",
      text,
      values: [terms.id],
    });
    expect(entries.map(({ action }) => action)).to.deep.equal([
      "signing.requested",
      "signing.requested_again",
    ]);
    expect(entries.map(({ details }) => details)).to.containSubset([
      { certificates: [first], returnUrl: terms.returnUrl },
      { certificates: [first, second], returnUrl: "https://tpp.example/other" },
    ]);
  });

  it("takes no more than twenty certificates, also when fifty come at once in two processes", async () => {
    const terms = await request();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? one : other).request(
          {
            ...terms,
            id: createSigningRequestId(),
            certificates: [thumbprintOf(Buffer.of(index))],
            returnUrl: `https://tpp.example/callback?n=${index}`,
          },
          by(),
        ),
      ),
    );
    expect(outcomes.filter(({ result }) => result === "known")).to.have.length(20);
    expect(outcomes.filter(({ result }) => result === "certificates_used_up")).to.have.length(30);
    const kept = await one.find(terms.id, NOW);
    expect(new Set(kept?.certificates).size).to.equal(20);
    const [known] = kept?.certificates ?? [];
    const again = {
      ...terms,
      id: createSigningRequestId(),
      certificates: known === undefined ? [] : [known],
    };
    expect(await other.request(again, by())).to.have.nested.property("request.returnUrl", terms.returnUrl);
  });

  it("redirects to the address it had when it was decided, also for one who asks at that moment", async () => {
    const terms = await request();
    const elsewhere = { ...terms, id: createSigningRequestId(), returnUrl: "https://tpp.example/other" };
    const asking = await databases[0].transaction(async (queries) => {
      const text = `UPDATE signing_request SET state = 'refused', refusal = 'declined', decided_at = $2 WHERE id = $1`;
      await queries.run({ name: "", text, values: [terms.id, NOW] });
      const asked = other.request(elsewhere, by());
      await eventually(async () => (await waitingForLocks()) > 0);
      return { asked };
    });
    const decided = await one.find(terms.id, NOW);
    expect(await asking.asked).to.deep.equal({ result: "known", request: decided });
    expect(decided).to.include({ state: "refused", returnUrl: terms.returnUrl });
  });

  it("approves once, with one event, of fifty right codes at once in two processes (UI-16, RTS Article 4(2)(b))", async () => {
    const terms = await request();
    const right = await code(terms);
    const settled = await Promise.all(
      Array.from({ length: 50 }, (_, index) => enter(terms, right, { store: index % 2 ? one : other })),
    );
    expect(settled.filter((each) => each?.move?.move === "approve")).to.have.length(1);
    expect(settled.filter((each) => each?.request.state === "approved")).to.have.length(50);
    const ids = settled.map((each) => (each?.request.state === "approved" ? each.request.approval.id : ""));
    expect(new Set(ids).size).to.equal(1);
    const approved = await other.find(terms.id, NOW);
    if (approved?.state !== "approved") throw new Error("it is not approved");
    expect(approved.approval.digest).to.deep.equal(terms.order.digest);
    expect(approved.approval.methods).to.deep.equal(["password", "totp", "delivered_code"]);
    expect(await told(terms)).to.deep.equal(["signing_approved"]);
    expect(await audited(terms)).to.deep.equal([
      "signing.approved",
      "signing.code_made",
      "signing.requested",
    ]);
  });

  it("refuses for good with the fifth wrong code, also when fifty come at once (RTS Article 4(3)(b))", async () => {
    const terms = await request();
    const right = await code(terms);
    const settled = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        enter(terms, wrong(right), { store: index % 2 ? one : other }),
      ),
    );
    const moves = settled.map((each) => each?.move?.move).filter((move) => move !== undefined);
    expect(moves.toSorted()).to.deep.equal([...Array(MOST_TRIES - 1).fill("count_try"), "refuse"]);
    expect((await enter(terms, right))?.request.state).to.equal("refused");
    expect(await told(terms)).to.deep.equal(["signing_refused"]);
  });

  it("ends in one outcome when approval, refusal, cancelling and expiry come at once", async () => {
    const terms = await request();
    const right = await code(terms);
    await Promise.all([
      ...Array.from({ length: 15 }, () => enter(terms, right)),
      ...Array.from({ length: 15 }, () =>
        other.settle(terms.id, by(), () => ({ move: "refuse", reason: "declined" })),
      ),
      ...Array.from({ length: 15 }, () => other.settle(terms.id, by(), () => ({ move: "cancel" }))),
      ...Array.from({ length: 5 }, () => other.settle(terms.id, by(30), () => undefined)),
    ]);
    const state = await stateOf(terms);
    expect(state).to.be.oneOf(["approved", "refused", "cancelled", "expired"]);
    expect(await told(terms)).to.deep.equal(state === "cancelled" ? [] : [`signing_${state}`]);
    const ends = ["signing.code_made", "signing.requested", `signing.${state}`];
    expect(await audited(terms)).to.deep.equal(ends.toSorted());
  });

  it("refuses a code of another order or browser, an earlier one, or one after five minutes (UI-16, RTS Article 5)", async () => {
    const [terms, another] = [await request(), await request()];
    const [right, foreign] = [await code(terms), await code(another)];
    expect((await enter(terms, foreign))?.move?.move).to.equal("count_try");
    expect((await enter(terms, right, { browser: "another" }))?.move?.move).to.equal("count_try");
    expect((await enter(terms, right, { minutes: 5 }))?.move?.move).to.equal("count_try");
    const newest = await code(terms);
    expect((await enter(terms, right))?.move?.move).to.equal(right === newest ? "approve" : "count_try");
    expect(
      (await enter(terms, ` ${newest.slice(0, 4)} ${newest.slice(4)}`, { minutes: 4 }))?.move?.move,
    ).to.equal("approve");
  });

  it("approves nothing if amount or payee was changed anywhere after the code was made (RTS Article 5(1)(d), PAY-05)", async () => {
    for (const change of [{ amount: "9999.00" }, { creditorIban: "CZ3299000000002000000018" }]) {
      const terms = await request();
      const right = await code(terms);
      const text = canonicalOrder({ ...DOMESTIC_ORDER, paymentId: terms.paymentId, ...change });
      const tampering = { name: "tamper", text: "UPDATE signing_request SET order_text = $2 WHERE id = $1" };
      await databases[0].run({ ...tampering, values: [terms.id, text] });
      expect((await enter(terms, right))?.move?.move).to.equal("count_try");
    }
  });

  it("refuses a code moved to another attempt at the same order, or to another browser (RTS Article 5(1))", async () => {
    const [terms, taken] = [await request(), await request()];
    const { paymentId, order, psu } = terms;
    const again = await request({ paymentId, order, psu, signId: "S-2" });
    const [right, robbed] = [await code(terms), await code(taken)];
    await code(again);
    const move = `UPDATE signing_request AS into_this SET code_hash = of_that.code_hash FROM signing_request AS of_that
      WHERE into_this.id = $1 AND of_that.id = $2`;
    await databases[0].run({ name: "move-code", text: move, values: [again.id, terms.id] });
    expect((await enter(again, right))?.move?.move).to.equal("count_try");
    const rob = "UPDATE signing_request SET code_browser_hash = sha256('thief') WHERE id = $1";
    await databases[0].run({ name: "rob-code", text: rob, values: [taken.id] });
    expect((await enter(taken, robbed, { browser: "thief" }))?.move?.move).to.equal("count_try");
  });

  it("keeps no code, and nothing with which one could be found (LOG-07)", async () => {
    const terms = await request();
    const right = await code(terms);
    const text = "SELECT to_jsonb(signing_request)::text AS row FROM signing_request WHERE id = $1";
    const [kept] = await databases[0].run<{ row: string }>({ name: "row", text, values: [terms.id] });
    expect(kept?.row).to.include(terms.id).and.not.include(right);
    await one.settle(terms.id, by(), () => ({ move: "cancel" }));
    const hash = "SELECT code_hash FROM signing_request WHERE id = $1";
    expect(await databases[0].run({ name: "hash", text: hash, values: [terms.id] })).to.deep.equal([
      { code_hash: null },
    ]);
  });

  it("finds the requests of many attempts by payment and sign id together, whatever became of them", async () => {
    const [waiting, over, unasked] = [await request(), await request(), await request()];
    await one.settle(over.id, by(), () => ({ move: "cancel" }));
    const named = [waiting, over].map(({ paymentId, signId }) => ({ paymentId, signId }));
    const others = [
      { paymentId: unasked.paymentId, signId: "S-2" },
      { paymentId: "P-unknown", signId: "S-1" },
    ];
    const known = await other.findKnown([...named, ...others]);
    expect(known).to.have.deep.members([waiting, over].map(({ id }, place) => ({ id, ...named[place] })));
  });

  it("moves only the request that is meant, whatever the move, and none beside it for the same PSU", async () => {
    const psu = parsePsuId("psu-of-two");
    const beside = await request({ psu });
    await code(beside);
    const before = await other.find(beside.id, NOW);
    const MOVES = [
      { move: "count_try" },
      { move: "drop_code" },
      { move: "refuse", reason: "declined" },
      { move: "cancel" },
      { move: "cancel", because: "consent_ended" },
    ] as const;
    for (const move of MOVES) {
      const terms = await request({ psu });
      const right = await code(terms);
      expect((await one.settle(terms.id, by(), () => move))?.move, move.move).to.deep.equal(move);
      expect(await other.find(beside.id, NOW), move.move).to.deep.equal(before);
      if (move.move === "count_try") await enter(terms, right);
    }
    expect(await other.find(beside.id, NOW), "after an approval").to.deep.equal(before);
  });

  it("leaves a request as it is when the decision throws, and does not know others", async () => {
    const terms = await request();
    const failing = one.settle(terms.id, by(), () => {
      throw new Error("undecided");
    });
    expect(await failing.catch((error: Error) => error.message)).to.equal("undecided");
    expect(await stateOf(terms)).to.equal("waiting" satisfies SigningRequest["state"]);
    const nobody = createSigningRequestId();
    expect(await one.find(nobody, NOW)).to.equal(undefined);
    expect(await one.settle(nobody, by(), () => ({ move: "cancel" }))).to.equal(undefined);
  });
});
