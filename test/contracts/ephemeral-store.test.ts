import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";
import { createEphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { twoProcesses } from "./auth-database.ts";

const TERMS = { uid: undefined, lifetimeSeconds: 60 };

describe("An ephemeral store", () => {
  let databases: readonly [Database, Database];
  let one: EphemeralStore<object>;
  let other: EphemeralStore<object>;
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createEphemeralStore(databases[0]), createEphemeralStore(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("finds in every process what one has stored, by its value and by its second name", async () => {
    const key = { kind: "Session", id: "cookie" };
    await one.put(key, { a: 1 }, { ...TERMS, uid: "uid" });
    expect(await other.find(key)).to.deep.equal({ a: 1 });
    expect(await other.findByUid("Session", "uid")).to.deep.equal({ a: 1 });
    expect(await other.findByUid("Interaction", "uid")).to.equal(undefined);
    expect(await other.findByUid("Session", "cookie")).to.equal(undefined);
  });

  it("replaces a record that is stored again", async () => {
    const key = { kind: "Session", id: "again" };
    await one.put(key, { a: 1 }, { ...TERMS, uid: "before" });
    await one.put(key, { a: 2 }, { ...TERMS, uid: "after" });
    expect(await other.findByUid("Session", "after")).to.deep.equal({ a: 2 });
    expect(await other.findByUid("Session", "before")).to.equal(undefined);
  });

  it("lets exactly one of fifty parallel callers in two processes take a record", async () => {
    const key = { kind: "Interaction", id: "once" };
    await one.put(key, {}, TERMS);
    const attempts = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : other).take(key));
    expect((await Promise.all(attempts)).filter(Boolean)).to.have.length(1);
    expect(await one.find(key)).to.equal(undefined);
  });

  it("stores a new record for exactly one of fifty parallel callers in two processes, and keeps the first", async () => {
    const key = { kind: "ReplayDetection", id: "jti" };
    const attempts = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).putNew(key, { index }, TERMS),
    );
    const stored = await Promise.all(attempts);
    expect(stored.filter(Boolean)).to.have.length(1);
    expect(await other.find(key)).to.deep.equal({ index: stored.indexOf(true) });
  });

  it("stores a new record in the place of one that has expired", async () => {
    const key = { kind: "ReplayDetection", id: "old" };
    expect(await one.putNew(key, { a: 1 }, { ...TERMS, lifetimeSeconds: -1 })).to.equal(true);
    expect(await other.putNew(key, { a: 2 }, TERMS)).to.equal(true);
    expect(await one.putNew(key, { a: 3 }, TERMS)).to.equal(false);
    expect(await one.find(key)).to.deep.equal({ a: 2 });
  });

  it("stores as many of one name as may live, also when fifty come at once in two processes", async () => {
    const kind = "PushedAuthorizationRequest";
    const put = (index: number, uid = "application", lifetimeSeconds = 60) =>
      (index % 2 === 0 ? one : other).putAmong(
        { kind, id: `${uid}-${index}` },
        {},
        { uid, lifetimeSeconds, limit: 7 },
      );
    await put(100, "application", -1);
    const stored = await Promise.all(Array.from({ length: 50 }, (_, index) => put(index)));
    expect(stored.filter(Boolean)).to.have.length(7);
    expect(await put(0, "another")).to.equal(true);
    expect(
      await one.putAmong({ kind: "Session", id: "s" }, {}, { ...TERMS, uid: "application", limit: 1 }),
    ).to.equal(true);
  });

  it("does not find what has expired", async () => {
    const key = { kind: "Session", id: "late" };
    await one.put(key, {}, { uid: "late-uid", lifetimeSeconds: -1 });
    expect(await one.find(key)).to.equal(undefined);
    expect(await one.findByUid("Session", "late-uid")).to.equal(undefined);
  });

  it("keeps cookies and names out of the database", async () => {
    await one.put({ kind: "Session", id: "cookie-value" }, {}, { ...TERMS, uid: "uid-value" });
    const text = "SELECT e::text AS row FROM ephemeral_record e";
    const rows = await databases[0].run<{ row: string }>({ name: "e", text, values: [] });
    expect(rows.map(({ row }) => row).join()).not.to.match(/cookie-value|uid-value/);
  });
});
