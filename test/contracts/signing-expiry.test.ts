import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { makeBoundCode } from "../../packages/auth/src/signing/bound-code.ts";
import { findWritten } from "../../packages/auth/src/signing/find-written.ts";
import { judgeApproval } from "../../packages/auth/src/signing/judge-approval.ts";
import type { SigningTerms } from "../../packages/auth/src/signing/signing-request.ts";
import { createSigningRequestId } from "../../packages/auth/src/signing/signing-request-id.ts";
import { lockStanding } from "../../packages/auth/src/signing/signing-standing-postgres.ts";
import type { SigningStore } from "../../packages/auth/src/signing/signing-store.ts";
import { eventually } from "../support/eventually.ts";
import {
  ACT,
  BROWSER,
  by,
  key,
  later,
  openSigningStores,
  requestsIn,
  type SigningStores,
} from "./signing-stores.ts";

const MINUTE = 60_000;

describe("Signing requests whose time is over", () => {
  let stores: SigningStores;
  let databases: readonly [Database, Database];
  let one: SigningStore;
  let other: SigningStore;
  before(async () => {
    stores = await openSigningStores();
    ({ databases, one, other } = stores);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const { request, code, enter, stateOf, told, audited, waitingForLocks } = requestsIn(() => stores);

  it("are announced as expired once that is recorded: an approval given in time comes first", async () => {
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

  it("expire on time, even unrecorded, and approve nothing afterwards; the job announces it once, even after downtime", async () => {
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

  it("take no code that is over by the database's clock, wherever the process's was set, but a new one (CLK-02)", async () => {
    const terms = await request();
    const old = await code(terms);
    const run = (text: string) =>
      databases[0].run<{ minutes: number }>({ name: text.slice(0, 60), text, values: [terms.id] });
    const [left] = await run(
      "SELECT extract(epoch FROM code_over_at - now())::float8 / 60 AS minutes FROM signing_request WHERE id = $1",
    );
    expect(left?.minutes).to.be.within(1, 5);
    await run("UPDATE signing_request SET code_over_at = now() WHERE id = $1");
    // Nor is it read, or given by a decision: the page would ask for it again, and send no other.
    expect(await one.find(terms.id, by(0).now)).to.include({ state: "waiting", code: undefined });
    const wrong = await enter(terms, old);
    expect(wrong?.move).to.deep.equal({ move: "count_try" });
    expect(wrong?.request).to.have.property("code", undefined);
    expect((await enter(terms, await code(terms)))?.request.state).to.equal("approved");
  });

  it("name the server as the actor in the record, also when the PSU comes too late (LOG-02)", async () => {
    const terms = await request();
    await enter(terms, "12345678", { minutes: 30 });
    const text =
      "SELECT actor_kind, actor, request_id FROM audit_entry WHERE action = 'signing.expired' AND subject = $1";
    const rows = await databases[0].run({ name: "who-expired", text, values: [terms.id] });
    expect(rows).to.deep.equal([{ actor_kind: "server", actor: "signing expiry", request_id: "request" }]);
  });

  it("do not end early for a process whose clock is ahead", async () => {
    const terms = await request({ expiresAt: new Date(Date.now() + 30 * 60_000) });
    await one.expire(by(60 * 24), 100);
    const ahead = { ...by(0), now: new Date(Date.now() + 24 * 60 * MINUTE) };
    expect(await one.expire(ahead, 1)).to.deep.equal({ failures: [], last: undefined });
    expect(await stateOf(terms)).to.equal("waiting");
    expect(await told(terms)).to.deep.equal([]);
  });

  it("neither end nor get approved at a process whose clock is ahead, whoever asks; resource may cancel them", async () => {
    const ahead = 24 * 60;
    const terms = await request({ createdAt: new Date(), expiresAt: new Date(Date.now() + 30 * MINUTE) });
    const moment = { act: ACT, now: new Date(Date.now() + ahead * MINUTE) };
    const bank = { ...moment, act: { actor: { kind: "server", part: "resource" }, requestId: "r" } as const };
    const { kept } = makeBoundCode(key, { request: terms, browser: BROWSER }, moment.now);
    const made = await other.settle(terms.id, moment, () => ({ move: "replace_code", code: kept }));
    expect(made).to.deep.include({ move: undefined }).and.have.nested.property("request.state", "waiting");
    const proof = {
      passkey: "passkey-1",
      psu: terms.psu,
      request: terms.id,
      digest: terms.order.digest,
    };
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

  it("expire also when requested again after their time", async () => {
    const terms = await request();
    const again = await other.request({ ...terms, id: createSigningRequestId() }, by(31));
    expect(again).to.deep.include({ result: "known" }).and.have.nested.property("request.state", "expired");
    expect(await told(terms)).to.deep.equal(["signing_expired"]);
  });

  it("expire although others cannot be read, even if those alone fill a batch", async () => {
    await one.expire(by(60 * 24), 100);
    const [first, second] = [await request({ expiresAt: later(5) }), await request({ expiresAt: later(5) })];
    const left = await request({ expiresAt: later(6) });
    const ids = [first.id, second.id];
    const text = "UPDATE signing_request SET order_text = '{}' WHERE id = ANY ($1)";
    await databases[0].run({ name: "spoil", text, values: [ids] });
    const batch = await one.expire(by(10), 2);
    expect(batch.failures).to.have.lengthOf(2);
    expect(batch.last).to.deep.equal({ expiresAt: first.expiresAt, id: ids.toSorted()[1] });
    expect(await told(left)).to.deep.equal([]);
    expect(await one.expire(by(10), 2, batch.last)).to.deep.equal({ failures: [], last: undefined });
    expect(await told(left)).to.deep.equal(["signing_expired"]);
    await databases[0].run({
      name: "gone",
      text: "DELETE FROM signing_request WHERE id = ANY ($1)",
      values: [ids],
    });
  });

  it("expire in the order in which their time was over", async () => {
    await one.expire(by(60 * 24), 100);
    // Whoever reads by it finds the oldest first, whatever they ask for.
    await databases[0].run({ name: "", text: "DROP INDEX signing_request_waiting", values: [] });
    const due: SigningTerms[] = [];
    for (const minutes of [7, 5, 6]) due.push(await request({ expiresAt: later(minutes) }));
    await one.expire(by(10), 1);
    expect(await Promise.all(due.map((terms) => stateOf(terms)))).to.deep.equal([
      "waiting",
      "expired",
      "waiting",
    ]);
  });
});
