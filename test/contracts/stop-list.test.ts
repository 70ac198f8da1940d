import { randomInt, randomUUID } from "node:crypto";
import { parseOrganisationIdentifier, thumbprintOf } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import {
  type Blocker,
  MAX_ACTIVE_BLOCKS,
  type StopList,
  type StopListKey,
} from "../../packages/auth/src/tpp/stop-list.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { twoProcesses } from "./auth-database.ts";
import { operatorAct } from "./test-acts.ts";

const JANA = operatorAct("jana");

/** Every block on one page. */
const ALL = { after: undefined, limit: MAX_ACTIVE_BLOCKS };

describe("Stop list", () => {
  let databases: readonly [Database, Database];
  let one: StopList;
  let other: StopList;
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createStopList(databases[0]), createStopList(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  const organisation = () => parseOrganisationIdentifier(`PSDCZ-CNB-${randomInt(2 ** 40)}`);
  const certificate = () => thumbprintOf(Buffer.from(randomUUID()));
  const tppKey = (): Extract<StopListKey, { kind: "organisation" }> => ({
    kind: "organisation",
    key: organisation(),
  });
  const fifty = <T>(act: (list: StopList) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => act(index % 2 ? one : other)));
  const blockedNow = ({ key }: Extract<StopListKey, { kind: "organisation" }>) =>
    other.findBlocked({ organisationIdentifier: key, thumbprint: undefined });

  /** What the audit log has about one, and whose act it was. */
  const entriesOf = async (subject: string) => {
    const text = "SELECT action || ' ' || actor AS entry FROM audit_entry WHERE subject = $1 ORDER BY id";
    const rows = await databases[0].run<{ entry: string }>({ name: "", text, values: [subject] });
    return rows.map(({ entry }) => entry);
  };

  it("blocks a TPP in every process at once, and nobody else", async () => {
    const tpp = tppKey();
    const { result } = await one.block({ ...tpp, reason: "fraud", by: JANA });
    expect(result).to.equal("blocked");
    expect(await blockedNow(tpp)).to.equal("organisation");
    expect(await blockedNow(tppKey())).to.equal(undefined);
    expect(await other.findBlocked({ organisationIdentifier: tpp.key, thumbprint: certificate() })).to.equal(
      "organisation",
    );
  });

  it("compares organisation identifiers exactly, with case and leading zeros", async () => {
    const key = parseOrganisationIdentifier("PSDCZ-CNB-0abc");
    await one.block({ kind: "organisation", key, reason: "fraud", by: JANA });
    for (const similar of ["PSDCZ-CNB-abc", "PSDCZ-CNB-0ABC", "PSDCZ-CNB-0abcd", "PSDSK-CNB-0abc"])
      expect(
        await blockedNow({ kind: "organisation", key: parseOrganisationIdentifier(similar) }),
        similar,
      ).to.equal(undefined);
  });

  it("blocks one certificate and leaves the other certificates of its TPP alone", async () => {
    const [organisationIdentifier, thumbprint] = [organisation(), certificate()];
    await one.block({ kind: "certificate", key: thumbprint, reason: "key lost", by: JANA });
    expect(await other.findBlocked({ organisationIdentifier, thumbprint })).to.equal("certificate");
    expect(await other.findBlocked({ organisationIdentifier, thumbprint: certificate() })).to.equal(
      undefined,
    );
  });

  it("blocks a certificate also in the other form that its holder can give it", async () => {
    const [organisationIdentifier, thumbprint, twinThumbprint] = [
      organisation(),
      certificate(),
      certificate(),
    ];
    await one.block({ kind: "certificate", key: thumbprint, reason: "key lost", by: JANA });
    const twin = { organisationIdentifier, thumbprint: twinThumbprint, twinThumbprint: thumbprint };
    expect(await other.findBlocked(twin)).to.equal("certificate");
  });

  it("names the TPP when both are blocked", async () => {
    const [organisationIdentifier, thumbprint] = [organisation(), certificate()];
    await one.block({ kind: "certificate", key: thumbprint, reason: "key lost", by: JANA });
    await one.block({ kind: "organisation", key: organisationIdentifier, reason: "fraud", by: JANA });
    expect(await other.findBlocked({ organisationIdentifier, thumbprint })).to.equal("organisation");
  });

  it("makes one block from fifty parallel orders, and ends it once in fifty releases", async () => {
    const tpp = tppKey();
    const blocks = await fifty((list) => list.block({ ...tpp, reason: "fraud", by: JANA }));
    const count = (wanted: string) => blocks.filter(({ result }) => result === wanted).length;
    expect([count("blocked"), count("already_blocked")]).to.deep.equal([1, 49]);
    const releases = await fifty((list) => list.release({ ...tpp, by: JANA }));
    expect(releases.filter((released) => released !== undefined)).to.have.length(1);
    expect(await blockedNow(tpp)).to.equal(undefined);
  });

  it("keeps who blocked, when, why, who released and when, also after the release", async () => {
    const tpp = tppKey();
    const before = Date.now() - 1_000;
    await one.block({ ...tpp, reason: "fraud", by: JANA });
    const again = await one.block({ ...tpp, reason: "another reason", by: operatorAct("petr") });
    expect(again).to.deep.include({ result: "already_blocked" });
    await other.release({ ...tpp, by: operatorAct("petr") });
    await one.block({ ...tpp, reason: "once more", by: JANA });
    const rows = (await other.history(ALL)).filter(({ key }) => key === tpp.key);
    expect(rows.map(({ reason, blockedBy, released }) => [reason, blockedBy, released?.by])).to.deep.equal([
      ["once more", "jana", undefined],
      ["fraud", "jana", "petr"],
    ]);
    for (const { blockedAt } of rows) expect(blockedAt.getTime()).to.be.within(before, Date.now() + 1_000);
    expect(rows[1]?.released?.at.getTime()).to.be.greaterThanOrEqual(rows[1]?.blockedAt.getTime() ?? 0);
  });

  it("lets only the register release what the register blocked, and only the operator what the operator did", async () => {
    const tpp = tppKey();
    const both: readonly Blocker[] = ["register", operatorAct("register")];
    for (const by of both) {
      await one.block({ ...tpp, reason: "gone from the register", by });
      const [another] = both.filter((each) => each !== by);
      if (another !== undefined) expect(await one.release({ ...tpp, by: another })).to.equal(undefined);
      expect(await blockedNow(tpp)).to.equal("organisation");
      expect(await one.release({ ...tpp, by })).to.include({ reason: "gone from the register" });
    }
    expect(await blockedNow(tpp)).to.equal(undefined);
  });

  it("blocks until every origin has released, and only then announces a release", async () => {
    const tpp = tppKey();
    const feed = createFeed(databases[1]);
    const position = await feed.head();
    await one.block({ ...tpp, reason: "gone from the register", by: "register" });
    await one.block({ ...tpp, reason: "fraud", by: JANA });
    const listed = async () => (await other.blockedKeys()).keys.filter(({ key }) => key === tpp.key);
    await one.release({ ...tpp, by: JANA });
    expect([await blockedNow(tpp), await listed()]).to.deep.equal(["organisation", [tpp]]);
    await one.release({ ...tpp, by: "register" });
    expect([await blockedNow(tpp), await listed()]).to.deep.equal([undefined, []]);
    const told = await feed.readAfter({ position, mark: undefined });
    expect(told?.events.map(({ kind }) => kind)).to.deep.equal([
      "tpp_blocked",
      "tpp_blocked",
      "tpp_released",
    ]);
    const acts = [
      "tpp.blocked TPP register",
      "tpp.blocked jana",
      "tpp.released jana",
      "tpp.released TPP register",
    ];
    expect(await entriesOf(tpp.key)).to.deep.equal(acts);
  });

  it("announces no key as free that another origin blocks at the moment of its release", async () => {
    const tpp = tppKey();
    await one.block({ ...tpp, reason: "fraud", by: JANA });
    const [database] = databases;
    let [hasBlocked, commit] = [false, () => {}];
    const committing = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const transaction: Database["transaction"] = (work) =>
      database.transaction(async (queries) => {
        const blocked = await work(queries);
        hasBlocked = true;
        await committing;
        return blocked;
      });
    const slow = createStopList({ ...database, transaction });
    const blocking = slow.block({ ...tpp, reason: "withdrawn", by: "register" });
    await eventually(() => hasBlocked);
    const releasing = other.release({ ...tpp, by: JANA });
    const WAITS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await database.run({ name: "", text: WAITS, values: [] })).length > 0);
    commit();
    await Promise.all([blocking, releasing]);
    const text = "SELECT kind FROM feed_event WHERE key = $1 ORDER BY pos";
    const told = await database.run<{ kind: string }>({ name: "", text, values: [tpp.key] });
    expect(told.map(({ kind }) => kind)).to.deep.equal(["tpp_blocked", "tpp_blocked"]);
    expect(await blockedNow(tpp)).to.equal("organisation");
  });

  it("lists what is in force, oldest first", async () => {
    const [first, second] = [tppKey(), tppKey()];
    await one.block({ ...first, reason: "a", by: JANA });
    await one.block({ ...second, reason: "b", by: "register" });
    const listed = (await other.active(ALL)).filter(({ key }) => key === first.key || key === second.key);
    expect(listed.map(({ key, origin }) => [key, origin])).to.deep.equal([
      [first.key, "operator"],
      [second.key, "register"],
    ]);
    const ofRegister = (await other.activeOfRegister()).map(({ key }) => key);
    expect(ofRegister).to.include(second.key).and.not.to.include(first.key);
    expect(await other.findActive({ ...second, by: "register" })).to.include({ reason: "b" });
    expect(await other.findActive({ ...second, by: JANA })).to.equal(undefined);
    await one.release({ ...first, by: JANA });
    expect((await other.active(ALL)).map(({ key }) => key)).to.not.include(first.key);
  });

  it("gives its lists in pages, each after the last block of the one before", async () => {
    for (const reason of ["a", "b", "c"]) await one.block({ ...tppKey(), reason, by: JANA });
    for (const list of [other.active, other.history]) {
      const whole = (await list(ALL)).map(({ id }) => id);
      const paged: number[] = [];
      for (;;) {
        const page = await list({ after: paged.at(-1), limit: 2 });
        if (page.length === 0) break;
        expect(page.length).to.be.at.most(2);
        paged.push(...page.map(({ id }) => id));
      }
      expect(paged).to.deep.equal(whole).and.to.have.lengthOf.above(2);
    }
  });

  it("holds no more than its limit, also of parallel orders, and has room again after a release", async () => {
    const [room = 0] = await Promise.all([one.active(ALL).then(({ length }) => MAX_ACTIVE_BLOCKS - length)]);
    const text = `INSERT INTO stop_list_block (kind, key, origin, reason, blocked_by)
      SELECT 'organisation', 'PSDCZ-FULL-' || n, 'operator', 'r', 'test' FROM generate_series(1, $1) AS n`;
    await databases[0].run({ name: "fill", text, values: [room - 1] });
    const orders = await fifty((list) => list.block({ ...tppKey(), reason: "one too many", by: JANA }));
    expect(orders.filter(({ result }) => result === "blocked")).to.have.length(1);
    expect(orders.filter(({ result }) => result === "list_full")).to.have.length(49);
    const full = { kind: "organisation", key: parseOrganisationIdentifier("PSDCZ-FULL-1") } as const;
    expect((await one.block({ ...full, reason: "again", by: JANA })).result).to.equal("already_blocked");
    await one.release({ ...full, by: JANA });
    expect((await one.block({ ...tppKey(), reason: "room again", by: JANA })).result).to.equal("blocked");
  });
});
