import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import type { EphemeralStore } from "../../packages/auth/src/ephemeral/ephemeral-store.ts";

const TERMS = { uid: undefined, lifetimeSeconds: 60 };

/** One store as two processes see it. */
export interface SharedStore<Store> {
  readonly one: Store;
  readonly other: Store;
  /** Everything that is stored, as a thief of a copy would read it. */
  kept(): Promise<string>;
  close(): Promise<unknown>;
}

/** The contract of every ephemeral store, wherever it keeps its records. */
export function describeEphemeralStore(
  where: string,
  open: () => Promise<SharedStore<EphemeralStore<object>>>,
): void {
  describe(`Ephemeral store ${where}`, () => {
    let shared: SharedStore<EphemeralStore<object>>;
    let one: EphemeralStore<object>;
    let other: EphemeralStore<object>;
    before(async () => {
      shared = await open();
      ({ one, other } = shared);
    });
    after(() => shared.close());

    it("finds a record stored by another process, by its value and by its second name", async () => {
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

    it("replaces the record that was found for exactly one of fifty parallel callers in two processes", async () => {
      const key = { kind: "PsuSessionsEnded", id: "psu" };
      let former: object | undefined;
      for (const round of ["first", "second"]) {
        const attempts = Array.from({ length: 50 }, (_, index) =>
          (index % 2 === 0 ? one : other).putInPlaceOf(former, key, { round, index }, TERMS),
        );
        const stored = await Promise.all(attempts);
        expect(stored.filter(Boolean)).to.have.length(1);
        const found = await other.find(key);
        expect(found).to.deep.equal({ round, index: stored.indexOf(true) });
        expect(await one.putInPlaceOf(former, key, {}, TERMS)).to.equal(false);
        former = found;
      }
      expect(await one.putInPlaceOf(former, { ...key, id: "nobody" }, { a: 1 }, TERMS)).to.equal(true);
    });

    it("stores a new record in place of an expired one", async () => {
      const key = { kind: "ReplayDetection", id: "old" };
      expect(await one.putNew(key, { a: 1 }, { ...TERMS, lifetimeSeconds: -1 })).to.equal(true);
      expect(await other.putNew(key, { a: 2 }, TERMS)).to.equal(true);
      expect(await one.putNew(key, { a: 3 }, TERMS)).to.equal(false);
      expect(await one.find(key)).to.deep.equal({ a: 2 });
      expect(await one.putNew({ ...key, id: "named" }, { a: 4 }, { ...TERMS, uid: "new-uid" })).to.equal(
        true,
      );
      expect(await other.findByUid("ReplayDetection", "new-uid")).to.deep.equal({ a: 4 });
    });

    it("stores as many under one name as the limit, also when fifty come at once in two processes", async () => {
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

    it("counts the live records of a name, not those that were taken or have expired", async () => {
      const put = (id: string, lifetimeSeconds = 60) =>
        one.putAmong(
          { kind: "PushedAuthorizationRequest", id },
          {},
          { uid: "few", lifetimeSeconds, limit: 1 },
        );
      expect(await put("short", 0.05)).to.equal(true);
      await delay(60);
      expect(await put("first")).to.equal(true);
      expect(await put("second")).to.equal(false);
      expect(await other.take({ kind: "PushedAuthorizationRequest", id: "first" })).to.equal(true);
      expect(await put("third")).to.equal(true);
    });

    it("frees the place of an expired record, but not that of the live one beside it", async () => {
      const put = (id: string, lifetimeSeconds = 60) =>
        one.putAmong({ kind: "Request", id }, {}, { uid: "mixed", lifetimeSeconds, limit: 2 });
      expect(await put("long")).to.equal(true);
      expect(await put("short", 0.05)).to.equal(true);
      await delay(60);
      expect([await put("third"), await put("fourth")]).to.deep.equal([true, false]);
    });

    it("tells when the first of a name's live records ends by itself, and so makes room", async () => {
      const put = (id: string, lifetimeSeconds: number) =>
        one.putAmong({ kind: "Request", id }, {}, { uid: "awaited", lifetimeSeconds, limit: 3 });
      const wait = () => other.waitAmong("Request", "awaited");
      expect(await wait()).to.equal(0);
      await put("past", 0.02);
      for (const [id, seconds] of [
        ["later", 50],
        ["sooner", 20],
      ] as const)
        await put(id, seconds);
      await delay(30);
      expect(await wait()).to.be.within(10_000, 20_000);
      await one.take({ kind: "Request", id: "sooner" });
      expect(await wait()).to.be.within(40_000, 50_000);
      expect(await other.waitAmong("Session", "awaited")).to.equal(0);
    });

    it("gives the only place of a name to one of two processes, however often both ask at once", async () => {
      for (let round = 0; round < 20; round += 1) {
        const terms = { uid: `contested-${round}`, lifetimeSeconds: 60, limit: 1 };
        const put = (store: EphemeralStore<object>, id: string) =>
          store.putAmong({ kind: "Request", id: `${id}-${round}` }, {}, terms);
        const stored = await Promise.all([put(one, "one"), put(other, "other")]);
        expect(stored.filter(Boolean)).to.have.length(1);
      }
    });

    it("ends a record in the millisecond when its lifetime ends", async () => {
      const key = { kind: "Session", id: "short" };
      const stored = performance.now();
      await one.put(key, { a: 1 }, { uid: "short-uid", lifetimeSeconds: 0.4 });
      const found = await other.find(key);
      // On a very busy machine its lifetime may be over by now.
      if (performance.now() - stored < 400) expect(found).to.deep.equal({ a: 1 });
      await delay(410);
      expect(await one.find(key)).to.equal(undefined);
      expect(await other.findByUid("Session", "short-uid")).to.equal(undefined);
      expect(await other.take(key)).to.equal(false);
    });

    it("does not find a record by its second name after it was taken", async () => {
      const key = { kind: "Session", id: "taken" };
      await one.put(key, {}, { ...TERMS, uid: "taken-uid" });
      expect(await other.take(key)).to.equal(true);
      expect(await one.findByUid("Session", "taken-uid")).to.equal(undefined);
    });

    it("stores cookies and names in unreadable form", async () => {
      // As long as a browser's secret.
      const secretOf = (what: string) => what.padEnd(43, "-value");
      const [cookie, name, reference] = [secretOf("cookie"), secretOf("name"), secretOf("reference")];
      const terms = { ...TERMS, uid: name };
      for (const kind of ["Session", "Interaction"])
        await one.put({ kind, id: `${cookie}-${kind}` }, { to: "see" }, { ...terms, uid: `${name}-${kind}` });
      await one.putAmong({ kind: "Request", id: reference }, {}, { ...terms, limit: 1 });
      const kept = await shared.kept();
      expect(kept.match(/see/g)).to.have.length(2);
      for (const secret of [cookie, name, reference]) expect(kept).not.to.contain(secret);
    });
  });
}

/**
 * Additional contract of a store whose records are marked; `later` opens it in two processes after a change of the sealing key.
 */
export function describeMarkedStore(
  where: string,
  open: () => Promise<
    SharedStore<EphemeralStore<object>> & {
      readonly later: readonly [EphemeralStore<object>, EphemeralStore<object>];
    }
  >,
): void {
  describe(`Record ${where} marked with another sealing key`, () => {
    let shared: Awaited<ReturnType<typeof open>>;
    before(async () => {
      shared = await open();
    });
    after(() => shared.close());

    for (const [what, found] of [
      ["nothing", undefined],
      ["one that is gone", { a: 0 }],
    ] as const)
      it(`is replaced by exactly one of fifty parallel callers in two processes who found ${what} there`, async () => {
        const { one, later } = shared;
        const key = { kind: "PsuStay", id: `after ${what}` };
        await one.put(key, { a: 1 }, TERMS);
        expect(await later[0].find(key)).to.equal(undefined);
        const attempts = Array.from({ length: 50 }, (_, index) =>
          later[index % 2 === 0 ? 0 : 1].putInPlaceOf(found, key, { index }, TERMS),
        );
        const stored = await Promise.all(attempts);
        expect(stored.filter(Boolean)).to.have.length(1);
        expect(await later[0].find(key)).to.deep.equal({ index: stored.indexOf(true) });
        expect(await later[1].putInPlaceOf(found, key, {}, TERMS)).to.equal(false);
      });

    it("passes its second name on to the record that replaces it", async () => {
      const { one, later } = shared;
      const [key, terms] = [
        { kind: "Session", id: "named" },
        { ...TERMS, uid: "uid" },
      ];
      await one.put(key, { a: 1 }, terms);
      expect(await later[0].putInPlaceOf(undefined, key, { a: 2 }, terms)).to.equal(true);
      expect(await later[1].findByUid("Session", "uid")).to.deep.equal({ a: 2 });
    });

    it("still counts as used where only the first may store", async () => {
      const { one, later } = shared;
      const key = { kind: "InteractionAnswer", id: "used" };
      await one.putNew(key, { a: 1 }, TERMS);
      expect(await later[0].putNew(key, { a: 2 }, TERMS)).to.equal(false);
      expect(await later[1].find(key)).to.equal(undefined);
    });
  });
}
