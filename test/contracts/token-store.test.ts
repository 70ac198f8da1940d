import { thumbprintOf } from "@cobs/psd2-certificates";
import type { Database } from "@cobs/service-edge";
import { expect } from "chai";
import { createConsentStore } from "../../packages/auth/src/consent/consent-postgres.ts";
import { createEphemeralStoreInPostgres } from "../../packages/auth/src/ephemeral/ephemeral-store-postgres.ts";
import { hashRecordId } from "../../packages/auth/src/ephemeral/hash-record-id.ts";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import type { TokenStore } from "../../packages/auth/src/tokens/token-store.ts";
import { createTokenStore } from "../../packages/auth/src/tokens/token-store-postgres.ts";
import { createStopList } from "../../packages/auth/src/tpp/stop-list-postgres.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";
import { consentTo } from "./sample-consent.ts";
import { storeApplication, storeTpp } from "./stored-tpp.ts";
import { operatorAct, psuAct, tppAct } from "./test-acts.ts";

interface Payload {
  readonly accountId: string;
  readonly "x5t#S256"?: string;
}

const TERMS = { grantId: "grant", lifetimeSeconds: 60 };
const PAYLOAD = { accountId: "psu" };

describe("Token store", () => {
  let databases: readonly [Database, Database];
  let one: TokenStore<Payload>;
  let other: TokenStore<Payload>;
  before(async () => {
    databases = await twoProcesses();
    [one, other] = [createTokenStore(databases[0]), createTokenStore(databases[1])];
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  let ids = 0;
  const newKey = (kind = "AuthorizationCode") => {
    ids += 1;
    return { kind, id: `secret-${ids}` };
  };
  const tokenUnder = (key: ReturnType<typeof newKey>) => ({ key, payload: PAYLOAD, ...TERMS });

  it("finds in every process what one has stored, and nothing under another kind", async () => {
    const key = newKey();
    await one.put(key, PAYLOAD, TERMS);
    expect(await other.find(key)).to.deep.equal({
      payload: PAYLOAD,
      consumed: false,
      consent: undefined,
      isBlocked: false,
    });
    expect(await other.find({ ...key, kind: "AccessToken" })).to.equal(undefined);
    expect(await other.find(newKey())).to.equal(undefined);
  });

  it("lets exactly one of fifty parallel callers in two processes redeem a code, and stores only its tokens", async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = newKey();
      await one.put(key, PAYLOAD, TERMS);
      const given = Array.from({ length: 50 }, () => [newKey("AccessToken"), newKey("RefreshToken")]);
      const attempts = given.map((keys, index) =>
        (index % 2 === 0 ? one : other).redeem(key, keys.map(tokenUnder)),
      );
      const redeemed = await Promise.all(attempts);
      expect(redeemed.filter(Boolean)).to.have.length(1);
      const found = await Promise.all(given.flat().map((each) => other.find(each)));
      expect(found.map((each) => each !== undefined)).to.deep.equal(redeemed.flatMap((is) => [is, is]));
    }
  });

  it("leaves a code unredeemed when the tokens for it cannot be stored", async () => {
    const [key, token] = [newKey(), newKey("AccessToken")];
    await one.put(key, PAYLOAD, TERMS);
    const twice = [tokenUnder(token), tokenUnder(token)];
    expect(await rejectionOf(one.redeem(key, twice))).to.be.instanceOf(Error);
    expect(await other.find(key)).to.include({ consumed: false });
    expect(await other.redeem(key, [tokenUnder(token)])).to.equal(true);
  });

  it("still finds a consumed record, so that its reuse is noticed", async () => {
    const key = newKey();
    await one.put(key, PAYLOAD, TERMS);
    await one.redeem(key, []);
    expect(await other.find(key)).to.deep.equal({
      payload: PAYLOAD,
      consumed: true,
      consent: undefined,
      isBlocked: false,
    });
    expect(await other.redeem(key, [])).to.equal(false);
  });

  it("finds a consumed record for as long as any token issued for it, and no longer", async () => {
    const [key, token] = [newKey(), newKey("RefreshToken")];
    await one.put(key, PAYLOAD, TERMS);
    await one.redeem(key, [
      { ...tokenUnder(token), lifetimeSeconds: 600 },
      tokenUnder(newKey("AccessToken")),
    ]);
    for (const isFound of [true, false]) {
      const text = "UPDATE token SET expires_at = expires_at - interval '5 minutes' WHERE id_hash = ANY ($1)";
      const values = [[key, token].map(({ id }) => hashRecordId(id))];
      await databases[0].run({ name: "five-minutes-later", text, values });
      while (await cleanExpired(databases[0]));
      const found = await Promise.all([one.find(key), one.find(token)]);
      expect(found.map((each) => each !== undefined)).to.deep.equal([isFound, isFound]);
    }
  });

  it("neither finds nor consumes what is unknown, removed or expired", async () => {
    const [removed, expired] = [newKey(), newKey()];
    await one.put(removed, PAYLOAD, TERMS);
    await one.remove(removed, tppAct());
    await one.put(expired, PAYLOAD, { ...TERMS, lifetimeSeconds: -1 });
    for (const key of [removed, expired, newKey()]) {
      expect(await one.find(key)).to.equal(undefined);
      expect(await one.redeem(key, [])).to.equal(false);
    }
    expect(await one.findKept(removed)).to.equal(undefined);
    expect(await one.findKept(expired), "to be revoked").to.deep.include({ payload: PAYLOAD });
  });

  it("names the consent of a token for as long as that is active", async () => {
    await storeTpp(databases[0]);
    const now = Date.now();
    const ages = { active: 60_000, over: -1_000 };
    for (const [state, milliseconds] of Object.entries(ages)) {
      const validUntil = new Date(now + milliseconds);
      const consent = consentTo(await storeApplication(databases[0]), { validUntil, approval: state });
      await createConsentStore(databases[0]).give(consent, psuAct());
      const key = newKey("AccessToken");
      await one.put(key, PAYLOAD, { ...TERMS, grantId: consent.id });
      for (const find of [other.find, other.findKept]) {
        const found = await find(key);
        expect(found?.consent?.id, state).to.equal(state === "active" ? consent.id : undefined);
        expect(found?.payload, state).to.deep.equal(PAYLOAD);
      }
    }
  });

  it("removes only the one token named, and no other of its consent or kind", async () => {
    const [removed, kept] = [newKey("AccessToken"), newKey("AccessToken")];
    const sameId = { ...removed, kind: "RefreshToken" };
    for (const key of [removed, kept, sameId]) await one.put(key, PAYLOAD, TERMS);
    await one.remove(removed, tppAct());
    for (const find of [other.find, other.findKept]) {
      const found = await Promise.all([removed, kept, sameId].map(find));
      expect(found.map((each) => each !== undefined)).to.deep.equal([false, true, true]);
    }
  });

  it("records and tells each of fifty tokens that two processes remove at once just once, as the act of who removed it", async () => {
    const keys = Array.from({ length: 50 }, () => newKey("AccessToken"));
    for (const key of keys) await one.put(key, PAYLOAD, TERMS);
    const acts = [tppAct("PSDCZ-CNB-1"), tppAct("PSDCZ-CNB-2")];
    const removeAll = (store: TokenStore<Payload>, named: readonly ReturnType<typeof newKey>[]) =>
      named.map((key, index) => store.remove(key, acts[index % 2] ?? tppAct()));
    await Promise.all([...removeAll(one, keys), ...removeAll(other, keys), ...removeAll(one, keys)]);
    const names = keys.map(({ id }) => hashRecordId(id).toString("base64url"));
    const recorded = await databases[0].run<{ subject: string; actor: string }>({
      name: "recorded-removals",
      text: "SELECT subject, actor FROM audit_entry WHERE action = 'token.revoked' AND subject = ANY ($1)",
      values: [names],
    });
    const actorOf = (index: number) => `PSDCZ-CNB-${(index % 2) + 1}`;
    expect(recorded).to.have.deep.members(
      names.map((subject, index) => ({ subject, actor: actorOf(index) })),
    );
    const text = "SELECT key FROM feed_event WHERE kind = 'token' AND key = ANY ($1)";
    const told = await databases[0].run<{ key: string }>({ name: "told-removals", text, values: [names] });
    expect(told.map(({ key }) => key)).to.have.members(names);
  });

  it("removes a token of one moment with others though one of these is held, which waits alone", async () => {
    const [held, free] = [newKey("AccessToken"), newKey("AccessToken")] as const;
    for (const key of [held, free]) await one.put(key, PAYLOAD, TERMS);
    const removeBoth = () => [one.remove(held, tppAct()), one.remove(free, tppAct())] as const;
    const text = "SELECT FROM token WHERE id_hash = $1 FOR UPDATE";
    const heldRemoval = await databases[1].transaction(async (queries) => {
      await queries.run({ name: "hold", text, values: [hashRecordId(held.id)] });
      const [waits, goes] = removeBoth();
      waits.catch(() => {});
      await goes;
      return { waits, isThere: (await one.find(held)) !== undefined };
    });
    await heldRemoval.waits;
    expect(heldRemoval.isThere).to.equal(true);
    expect(await Promise.all([one.find(held), one.find(free)])).to.deep.equal([undefined, undefined]);
  });

  it("replaces a record that is stored again, but remembers that it was consumed", async () => {
    const key = newKey();
    await one.put(key, PAYLOAD, { ...TERMS, lifetimeSeconds: 0 });
    await one.put(key, PAYLOAD, TERMS);
    await one.redeem(key, []);
    await one.put(key, { accountId: "other" }, TERMS);
    expect(await other.find(key)).to.deep.equal({
      payload: { accountId: "other" },
      consumed: true,
      consent: undefined,
      isBlocked: false,
    });
  });

  it("shows whether the certificate that an access token is bound to is blocked, for as long as it is", async () => {
    const [thumbprint, stopList] = [thumbprintOf(Buffer.from("certificate")), createStopList(databases[1])];
    const block = { kind: "certificate", key: thumbprint, by: operatorAct("jana") } as const;
    const [bound, unbound, refreshing] = [
      newKey("AccessToken"),
      newKey("AccessToken"),
      newKey("RefreshToken"),
    ];
    for (const key of [bound, refreshing]) await one.put(key, { ...PAYLOAD, "x5t#S256": thumbprint }, TERMS);
    await one.put(unbound, PAYLOAD, TERMS);
    const blocked = async () =>
      (await Promise.all([bound, unbound, refreshing].map((key) => one.find(key)))).map(
        (found) => found?.isBlocked,
      );
    expect(await blocked()).to.deep.equal([false, false, false]);
    await stopList.block({ ...block, reason: "the key was lost" });
    expect(await blocked()).to.deep.equal([true, false, false]);
    await stopList.release(block);
    expect(await blocked()).to.deep.equal([false, false, false]);
  });

  it("does not store the value that a token's holder presents", async () => {
    const key = newKey();
    await one.put(key, PAYLOAD, TERMS);
    const rows = await databases[0].run<{ row: string }>({
      name: "t",
      text: "SELECT t::text AS row FROM token t",
      values: [],
    });
    expect(rows.map(({ row }) => row).join()).not.to.contain(key.id);
  });

  it("is cleaned of what has expired, in batches, by several processes at once", async () => {
    const kept = newKey();
    await one.put(kept, PAYLOAD, TERMS);
    const gone = Array.from({ length: 1_200 }, () => newKey());
    await Promise.all(gone.map((key) => one.put(key, PAYLOAD, { ...TERMS, lifetimeSeconds: -1 })));
    const more = await Promise.all(databases.map((database) => cleanExpired(database)));
    expect(more).to.include(true);
    while (await cleanExpired(databases[0]));
    const text = "SELECT count(*) AS left FROM token WHERE expires_at <= now()";
    expect(
      await databases[0].run({ name: "left", text: text.replace("AS left", 'AS "left"'), values: [] }),
    ).to.deep.equal([{ left: 0n }]);
    expect(await one.find(kept)).not.to.equal(undefined);
  });

  it("cleans other tables when one cannot be cleaned, and reports that", async () => {
    const [database] = databases;
    const ephemeral = createEphemeralStoreInPostgres(database);
    await ephemeral.put({ kind: "Session", id: "over" }, {}, { lifetimeSeconds: -1, uid: undefined });
    await database.pool.query("ALTER TABLE token RENAME TO away");
    try {
      expect(await rejectionOf(cleanExpired(database))).to.include({ code: "42P01" });
      const left = await database.pool.query("SELECT FROM ephemeral_record WHERE expires_at <= now()");
      expect(left.rowCount).to.equal(0);
    } finally {
      await database.pool.query("ALTER TABLE away RENAME TO token");
    }
  });
});
