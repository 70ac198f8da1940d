import { createSecretKey, randomBytes } from "node:crypto";
import { parsePsuId } from "@cobs/cobs-model";
import { parseOrganisationIdentifier } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createApplicationId } from "../../packages/auth/src/applications/client-secret.ts";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { createPsuBlocks } from "../../packages/auth/src/psu/psu-blocks-postgres.ts";
import { makeBoundCode } from "../../packages/auth/src/signing/bound-code.ts";
import { findWritten } from "../../packages/auth/src/signing/find-written.ts";
import { judgeApproval, MOST_TRIES } from "../../packages/auth/src/signing/judge-approval.ts";
import { parseOrder } from "../../packages/auth/src/signing/order.ts";
import { createSigningStore } from "../../packages/auth/src/signing/signing-postgres.ts";
import type { SigningRequest, SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../packages/auth/src/signing/signing-request-id.ts";
import { lockStanding } from "../../packages/auth/src/signing/signing-standing-postgres.ts";
import type { SigningStore } from "../../packages/auth/src/signing/signing-store.ts";
import { canonicalOrder, DOMESTIC_ORDER, SEPA_ORDER } from "../auth/signing/sample-orders.ts";
import { eventually } from "../support/eventually.ts";
import { movableClock } from "../support/movable-clock.ts";
import { twoProcesses } from "./auth-database.ts";
import { OWNER, storeApplication, storeTpp } from "./stored-tpp.ts";

const PSU = parsePsuId("psu");
const NOW = new Date("2026-07-31T12:00:00Z");
const MINUTE = 60_000;
/** So many codes is a PSU sent in an hour. */
const CODES = 30;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE);
const ACT = { actor: { kind: "psu", psu: PSU }, requestId: "request" } as const;
const by = (minutes = 0) => ({ act: ACT, now: later(minutes) });
const BROWSER = "browser";

describe("A store of signing requests", () => {
  const key = createSecretKey(randomBytes(32));
  let databases: readonly [Database, Database];
  let one: SigningStore;
  let other: SigningStore;
  let applicationId: SigningTerms["applicationId"];
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createSigningStore(databases[0], CODES), createSigningStore(databases[1], CODES)];
    await storeTpp(databases[0]);
    applicationId = await storeApplication(databases[0]);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  let count = 0;
  function newTerms(changed: Partial<SigningTerms> = {}): SigningTerms {
    count += 1;
    return {
      id: createSigningRequestId(),
      paymentId: `P-${count}`,
      signId: "S-1",
      // What is counted of one PSU changes nothing for another one.
      psu: parsePsuId(`psu-${count}`),
      organisationIdentifier: OWNER,
      applicationId,
      certificates: [],
      returnUrl: "https://tpp.example/callback",
      order: parseOrder(canonicalOrder({ ...DOMESTIC_ORDER, paymentId: `P-${count}` })),
      createdAt: NOW,
      expiresAt: later(30),
      ...changed,
    };
  }
  async function request(changed: Partial<SigningTerms> = {}): Promise<SigningTerms> {
    const terms = newTerms(changed);
    expect((await one.request(terms, by())).result).to.equal("created");
    return terms;
  }
  /** Sends a code and gives it. */
  async function code(terms: SigningTerms, browser = BROWSER, minutes = 0): Promise<string> {
    const made = makeBoundCode(key, { request: terms, browser }, later(minutes));
    await one.settle(terms.id, by(minutes), () => ({ move: "replace_code", code: made.kept }));
    return made.code;
  }
  const enter = (
    terms: SigningTerms,
    typed: string,
    at: Partial<{ minutes: number; browser: string; store: SigningStore }> = {},
  ) => {
    const { minutes = 0, browser = BROWSER, store = one } = at;
    const element = { element: "delivered_code", code: typed, browser } as const;
    const attempt = { signedInBy: ["password", "totp"], element } as const;
    return store.settle(terms.id, by(minutes), judgeApproval(key, attempt, later(minutes)));
  };
  const stateOf = async ({ id }: SigningTerms, minutes = 0) => (await other.find(id, later(minutes)))?.state;
  async function told({ id }: SigningTerms): Promise<readonly string[]> {
    const { events = [] } =
      (await createFeed(databases[1]).readAfter({ position: 0, mark: undefined })) ?? {};
    return events.filter((event) => event.key === id).map(({ kind }) => kind);
  }
  async function audited({ id }: SigningTerms): Promise<readonly string[]> {
    const text =
      "SELECT action FROM audit_entry WHERE subject_kind = 'signing_request' AND subject = $1 ORDER BY action";
    const rows = await databases[0].run<{ action: string }>({ name: "audited", text, values: [id] });
    return rows.map(({ action }) => action);
  }
  async function waitingForLocks(): Promise<number> {
    const text =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    return (await databases[1].run({ name: "waiting", text, values: [] })).length;
  }
  const wrong = (right: string) => String((Number(right) + 1) % 10 ** 8).padStart(8, "0");

  it("keeps a request with all of its terms, for every process", async () => {
    const terms = await request({ order: parseOrder(canonicalOrder(SEPA_ORDER)) });
    const waiting = { state: "waiting", code: undefined, codesMade: 0, tries: 0 };
    expect(await other.find(terms.id, NOW)).to.deep.equal({ ...terms, ...waiting });
    expect(await audited(terms)).to.deep.equal(["signing.requested"]);
  });

  it("keeps one request under one payment and sign id, of fifty at once in two processes", async () => {
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

  it("takes no other order, PSU, TPP or application under ids that it knows (RTS Article 5(1)(d))", async () => {
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

  it("leads back to the address that was asked for last while a request waits, and lets no TPP fill the audit log with it (A-51)", async () => {
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

  it("leads back where it led when it was decided, also of one who asks at that moment", async () => {
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

  it("approves once, of fifty right codes at once in two processes, and tells it once (UI-16, RTS Article 4(2)(b))", async () => {
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

  it("refuses for good with the fifth wrong code, also of fifty at once (RTS Article 4(3)(b))", async () => {
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

  it("ends in one outcome when approval, refusal, cancelling and the end of its time come at once", async () => {
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

  it("takes no code of another order, another browser, from before the newest, or after five minutes (UI-16, RTS Article 5)", async () => {
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

  it("approves nothing when amount or payee was changed after the code was made, wherever (RTS Article 5(1)(d), PAY-05)", async () => {
    for (const change of [{ amount: "9999.00" }, { creditorIban: "CZ3299000000002000000018" }]) {
      const terms = await request();
      const right = await code(terms);
      const text = canonicalOrder({ ...DOMESTIC_ORDER, paymentId: terms.paymentId, ...change });
      const tampering = { name: "tamper", text: "UPDATE signing_request SET order_text = $2 WHERE id = $1" };
      await databases[0].run({ ...tampering, values: [terms.id, text] });
      expect((await enter(terms, right))?.move?.move).to.equal("count_try");
    }
  });

  it("takes no code that somebody has moved, to another attempt at the same order or another browser (RTS Article 5(1))", async () => {
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

  it("is told to have expired once that is written: an approval that was given in time comes first", async () => {
    const terms = await request();
    const typed = await code(terms, BROWSER, 28);
    const [approved, found] = await databases[0].transaction(async (queries) => {
      // As when the database is busy: the approval waits, with the request locked, beyond its time.
      await lockStanding(queries, terms.psu);
      const approving = enter(terms, typed, { minutes: 29, store: other });
      await eventually(async () => (await waitingForLocks()) === 1);
      const finding = findWritten(one, terms.id, by(31));
      await Promise.race([finding, eventually(async () => (await waitingForLocks()) === 2)]);
      return [approving, finding];
    });
    expect((await approved)?.request.state).to.equal("approved");
    expect((await found)?.state).to.equal("approved");
    const left = await request();
    expect((await findWritten(one, left.id, by(31)))?.state).to.equal("expired");
    expect(await told(left)).to.deep.equal(["signing_expired"]);
    expect((await enter(left, "", { minutes: 29 }))?.request.state).to.equal("expired");
  });

  it("expires on time, also unwritten, and approves nothing afterwards; the job tells it once, also after downtime", async () => {
    const terms = await request();
    const right = await code(terms, BROWSER, 29);
    expect(await stateOf(terms, 29)).to.equal("waiting");
    expect(await stateOf(terms, 30)).to.equal("expired");
    const late = await enter(terms, right, { minutes: 31 });
    expect(late?.move).to.equal(undefined);
    expect(late?.request).to.deep.include({ state: "expired", decidedAt: terms.expiresAt });
    expect(await told(terms)).to.deep.equal(["signing_expired"]);
    const left = await request();
    await Promise.all([one, other, one, other].map((store) => store.expire(by(60 * 24), 100)));
    expect(await told(left)).to.deep.equal(["signing_expired"]);
    expect(await audited(left)).to.deep.equal(["signing.expired", "signing.requested"]);
    // A clock that jumps back revives nothing (CLK-02).
    expect(await stateOf(left)).to.equal("expired");
  });

  it("expires by the server in the record, also when its PSU comes too late (LOG-02)", async () => {
    const terms = await request();
    await enter(terms, "12345678", { minutes: 30 });
    const text =
      "SELECT actor_kind, actor, request_id FROM audit_entry WHERE action = 'signing.expired' AND subject = $1";
    const rows = await databases[0].run({ name: "who-expired", text, values: [terms.id] });
    expect(rows).to.deep.equal([{ actor_kind: "server", actor: "signing expiry", request_id: "request" }]);
  });

  it("ends none early for a process whose clock is ahead", async () => {
    const terms = await request({ expiresAt: new Date(Date.now() + 30 * 60_000) });
    await one.expire(by(60 * 24), 100);
    const ahead = { ...by(0), now: new Date(Date.now() + 24 * 60 * MINUTE) };
    expect(await one.expire(ahead, 100), "so many are due").to.equal(0);
    expect(await stateOf(terms)).to.equal("waiting");
    expect(await told(terms)).to.deep.equal([]);
  });

  it("ends none early, and approves none, at a process whose clock is ahead, whoever asks there; resource may take it back", async () => {
    const ahead = 24 * 60;
    const terms = await request({ createdAt: new Date(), expiresAt: new Date(Date.now() + 30 * MINUTE) });
    const moment = { act: ACT, now: new Date(Date.now() + ahead * MINUTE) };
    const bank = { ...moment, act: { actor: { kind: "server", part: "resource" }, requestId: "r" } as const };
    const { kept } = makeBoundCode(key, { request: terms, browser: BROWSER }, moment.now);
    const made = await other.settle(terms.id, moment, () => ({ move: "replace_code", code: kept }));
    expect(made).to.deep.include({ move: undefined }).and.have.nested.property("request.state", "waiting");
    const proof = { psu: terms.psu, request: terms.id, digest: terms.order.digest };
    const attempt = { signedInBy: ["passkey"], element: { element: "passkey", proof } } as const;
    const approved = await other.settle(terms.id, moment, judgeApproval(key, attempt, moment.now));
    expect(approved)
      .to.deep.include({ move: undefined })
      .and.have.nested.property("request.state", "waiting");
    expect((await findWritten(other, terms.id, bank))?.state).to.equal("waiting");
    const again = await other.request({ ...terms, id: createSigningRequestId() }, bank);
    expect(again).to.have.nested.property("request.state", "waiting");
    expect(await other.find(terms.id, moment.now)).to.include({ state: "expired" });
    expect([await told(terms), await audited(terms)]).to.deep.equal([[], ["signing.requested"]]);
    const cancelled = await other.settle(terms.id, bank, () => ({ move: "cancel" }));
    expect(cancelled?.request.state).to.equal("cancelled");
  });

  it("expires also when it is asked for once more after its time", async () => {
    const terms = await request();
    const again = await other.request({ ...terms, id: createSigningRequestId() }, by(31));
    expect(again).to.deep.include({ result: "known" }).and.have.nested.property("request.state", "expired");
    expect(await told(terms)).to.deep.equal(["signing_expired"]);
  });

  it("ends those first whose time was over first", async () => {
    await one.expire(by(60 * 24), 100);
    const due: SigningTerms[] = [];
    for (const minutes of [7, 5, 6]) due.push(await request({ expiresAt: later(minutes) }));
    expect(await one.expire(by(10), 1)).to.equal(1);
    expect(await Promise.all(due.map((terms) => stateOf(terms)))).to.deep.equal([
      "waiting",
      "expired",
      "waiting",
    ]);
  });

  it("ends the others when one of them cannot be read", async () => {
    const [spoilt, left] = [await request({ expiresAt: later(5) }), await request({ expiresAt: later(6) })];
    const text = "UPDATE signing_request SET order_text = '{}' WHERE id = $1";
    await databases[0].run({ name: "spoil", text, values: [spoilt.id] });
    const outcome = await one.expire(by(10), 100).catch((error: Error) => error);
    expect(outcome).to.be.instanceOf(AggregateError);
    expect(await told(left)).to.deep.equal(["signing_expired"]);
    const gone = "DELETE FROM signing_request WHERE id = $1";
    await databases[0].run({ name: "gone", text: gone, values: [spoilt.id] });
  });

  it("holds a PSU off after five wrong codes in a row, of whatever orders, also of fifty at once (RTS Article 4(3)(b))", async () => {
    const psu = parsePsuId("psu-guessed");
    const orders = await Promise.all(Array.from({ length: 10 }, () => request({ psu })));
    const rights = await Promise.all(orders.map((terms) => code(terms)));
    const settled = await Promise.all(
      orders.flatMap((terms, at) =>
        Array.from({ length: 5 }, (_, index) =>
          enter(terms, wrong(rights[at] ?? ""), { store: index % 2 ? one : other }),
        ),
      ),
    );
    expect(settled.filter((each) => each?.move !== undefined)).to.have.length(5);
    const [first, ...others] = orders;
    const left = (await stateOf(others[8] ?? newTerms())) === "waiting" ? others[8] : first;
    if (left === undefined) throw new Error("there is no order");
    const right = rights[orders.indexOf(left)] ?? "";
    const held = await enter(left, right);
    expect([held?.move, held?.heldOffUntil]).to.deep.equal([undefined, later(15)]);
    const refused = await one.settle(left.id, by(), () => ({ move: "refuse", reason: "declined" }));
    expect(refused?.request.state, "refusing an order always goes").to.equal("refused");
    const next = await request({ psu });
    const anew = await code(next, BROWSER, 15);
    expect((await enter(next, anew, { minutes: 15 }))?.move?.move).to.equal("approve");
  });

  it("begins to count wrong codes anew with each approval, and for each PSU", async () => {
    const psu = parsePsuId("psu-clumsy");
    for (let round = 0; round < 3; round += 1) {
      const terms = await request({ psu });
      const right = await code(terms);
      for (let tried = 0; tried < 4; tried += 1) await enter(terms, wrong(right));
      expect((await enter(terms, right))?.move?.move).to.equal("approve");
    }
  });

  it("lets a PSU be sent so many codes in an hour, for however many orders at once, in two processes", async () => {
    const psu = parsePsuId("psu-flooded");
    const limited = [createSigningStore(databases[0], 3), createSigningStore(databases[1], 3)] as const;
    const orders = await Promise.all(Array.from({ length: 10 }, () => request({ psu })));
    const ask = (terms: SigningTerms, index: number, minutes = 0) => {
      const { kept } = makeBoundCode(key, { request: terms, browser: BROWSER }, later(minutes));
      const store = index % 2 ? limited[0] : limited[1];
      return store.settle(terms.id, by(minutes), () => ({ move: "replace_code", code: kept }));
    };
    const asked = await Promise.all(orders.map((terms, index) => ask(terms, index)));
    expect(asked.filter((each) => each?.move?.move === "replace_code")).to.have.length(3);
    const held = asked.filter((each) => each?.move === undefined);
    expect(held.map((each) => each?.heldOffUntil)).to.deep.equal(Array(7).fill(later(60)));
    const late = await request({ psu, expiresAt: later(120) });
    expect((await ask(late, 0, 60))?.move?.move).to.equal("replace_code");
  });

  it("counts a code that did not arrive for the hour of its PSU, and for nothing else", async () => {
    const terms = await request();
    const right = await code(terms);
    const dropped = await one.settle(terms.id, by(), () => ({ move: "drop_code" }));
    expect(dropped?.request).to.include({ state: "waiting", code: undefined, codesMade: 0 });
    expect((await enter(terms, right))?.move?.move).to.equal("count_try");
    expect(await audited(terms)).to.include("signing.code_undelivered");
  });

  it("approves nothing for a PSU whom the bank has blocked since they signed in, of fifty at once", async () => {
    const [psu, blocks] = [parsePsuId("psu-blocked"), createPsuBlocks(databases[1], movableClock())];
    const orders = await Promise.all(Array.from({ length: 50 }, () => request({ psu })));
    const rights = await Promise.all(orders.map((terms) => code({ ...terms })));
    const actor = { kind: "operator", name: "test", certificate: undefined } as const;
    let isBlocked = false;
    const outcomes = await Promise.all([
      ...orders.map(async (terms, at) => {
        const begunAfter = isBlocked;
        const element = { element: "delivered_code", code: rights[at] ?? "", browser: BROWSER } as const;
        const decide = judgeApproval(key, { signedInBy: ["password", "totp"], element }, NOW);
        const signedIn = {
          act: { ...ACT, actor: { kind: "psu", psu } },
          now: NOW,
          authenticatedAt: NOW,
        } as const;
        const store = at % 2 ? one : other;
        const settled = await store.settle(terms.id, signedIn, decide);
        return begunAfter ? settled?.move?.move : undefined;
      }),
      blocks.block({ psu, reason: "test" }, { actor, requestId: "block" }).then(() => {
        isBlocked = true;
        return undefined;
      }),
    ]);
    expect(outcomes.every((move) => move === undefined)).to.equal(true);
    const last = await request({ psu });
    const at = { act: { ...ACT, actor: { kind: "psu", psu } }, now: NOW, authenticatedAt: NOW } as const;
    const settled = await one.settle(last.id, at, () => ({ move: "refuse", reason: "declined" }));
    expect([settled?.move, settled?.request.state]).to.deep.equal([undefined, "waiting"]);
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

  it("leaves a request as it is when whoever decides throws, and knows no others", async () => {
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
