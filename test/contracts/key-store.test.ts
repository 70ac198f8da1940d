import { createPrivateKey, createSecretKey, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Database, DatabaseUnsuitable, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createFeed } from "../../packages/auth/src/feed/feed-postgres.ts";
import { importCookieKeys } from "../../packages/auth/src/keys/import-keys.ts";
import type { KeyStore } from "../../packages/auth/src/keys/key-store.ts";
import { createKeyStore, DESTROY_ENDED_KEYS } from "../../packages/auth/src/keys/key-store-postgres.ts";
import type { KeyUse } from "../../packages/auth/src/keys/server-key.ts";
import { rejectionOf } from "../support/rejection.ts";
import { twoProcesses } from "./auth-database.ts";
import { operatorAct } from "./test-acts.ts";

const OPERATING = resolve(import.meta.dirname, "../../packages/auth/OPERATING.md");
const DAY_SECONDS = 86_400;
/** So long fifty calls at once may take, however busy a machine is. */
const PATIENCE_SECONDS = 20;
const TERMS = {
  signing: { lifetimeSeconds: 90 * DAY_SECONDS, announcedSeconds: 300, retiredSeconds: 660 },
  cookie: { lifetimeSeconds: 30 * DAY_SECONDS, announcedSeconds: 10, retiredSeconds: 3_600 },
};

describe("Key store", function keyStore() {
  this.timeout(120_000);
  const sealingKey = createSecretKey(randomBytes(32));
  let databases: readonly [Database, Database];
  let one: KeyStore;
  let other: KeyStore;
  const run = <Row>(text: string, values: readonly unknown[] = []) =>
    databases[0].run<Row>({ name: text.slice(0, 60), text, values });
  /** Lets so much time pass for every key. */
  const pass = (seconds: number) =>
    run(
      `UPDATE server_key SET announced_at = announced_at - make_interval(secs => $1),
        signs_from = signs_from - make_interval(secs => $1), retires_at = retires_at - make_interval(secs => $1),
        ends_at = ends_at - make_interval(secs => $1)`,
      [seconds],
    );
  const fifty = <T>(act: (store: KeyStore) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => act(index % 2 ? one : other)));
  const inUse = async (use: KeyUse) => (await other.inUse()).keys.filter((key) => key.use === use);
  const states = async (use: KeyUse) => (await inUse(use)).map(({ state }) => state);
  const signingId = async () => (await inUse("signing"))[0]?.kid ?? "";

  before(async () => {
    databases = await twoProcesses();
    [one, other] = [
      createKeyStore(databases[0], { sealingKey, terms: TERMS }),
      createKeyStore(databases[1], { sealingKey, terms: TERMS }),
    ];
  });
  beforeEach(async () => {
    await run("DELETE FROM server_key");
    await one.begin("signing", []);
    await one.begin("cookie", []);
  });
  after(() => Promise.all(databases.map((database) => database.close())));

  it("begins with one key per use, however many processes start at once", async () => {
    await run("DELETE FROM server_key");
    await fifty((store) => store.begin("signing", []));
    await fifty((store) => store.begin("cookie", []));
    expect([await states("signing"), await states("cookie")]).to.deep.equal([["signing"], ["signing"]]);
    const jwk = JSON.parse((await inUse("signing"))[0]?.secret.reveal() ?? "");
    expect(createPrivateKey({ key: jwk, format: "jwk" }).asymmetricKeyDetails?.namedCurve).to.equal(
      "prime256v1",
    );
    expect(jwk.kid).to.equal(await signingId());
  });

  it("takes keys over only if there never were others", async () => {
    await run("DELETE FROM server_key");
    const texts = ["a".repeat(43), "b".repeat(43)];
    const imported = importCookieKeys(new Secret(JSON.stringify(texts)));
    await one.begin("cookie", imported);
    await other.begin("cookie", importCookieKeys(new Secret(JSON.stringify(["c".repeat(43)]))));
    expect((await inUse("cookie")).map(({ secret }) => secret.reveal())).to.deep.equal(texts);
    expect(await states("cookie")).to.deep.equal(["signing", "retired"]);
  });

  it("announces one key at a time, which signs once everybody knows it and later ends the one before", async () => {
    const first = await signingId();
    const announced = await fifty((store) => store.announce("signing", operatorAct("jana")));
    const [made, ...more] = announced.filter((key) => key !== undefined);
    expect(more).to.deep.equal([]);
    expect(made).to.include({ state: "announced", use: "signing", madeBy: "jana" });
    expect(await states("signing")).to.deep.equal(["signing", "announced"]);
    // Beside what is let pass here, some time passes by itself.
    await pass(300 - PATIENCE_SECONDS);
    expect(await signingId()).to.equal(first);
    await pass(PATIENCE_SECONDS);
    expect(await signingId()).to.equal(made?.kid);
    expect(await states("signing")).to.deep.equal(["signing", "retired"]);
    await pass(660 - PATIENCE_SECONDS);
    expect(await states("signing")).to.deep.equal(["signing", "retired"]);
    await pass(PATIENCE_SECONDS);
    expect((await inUse("signing")).map(({ kid }) => kid)).to.deep.equal([made?.kid]);
    expect((await one.list()).find(({ kid }) => kid === first)?.state).to.equal("gone");
  });

  it("makes the next key by age, once, in time to sign when the lifetime is over", async () => {
    expect((await one.inUse()).due).to.deep.equal([]);
    await pass(30 * DAY_SECONDS - 10 - PATIENCE_SECONDS);
    expect((await one.inUse()).due).to.deep.equal([]);
    expect(await one.announceDue("cookie")).to.equal(undefined);
    await pass(PATIENCE_SECONDS);
    expect((await one.inUse()).due).to.deep.equal(["cookie"]);
    const made = await fifty((store) => store.announceDue("cookie"));
    expect(made.filter((key) => key !== undefined)).to.have.length(1);
    expect((await one.inUse()).due).to.deep.equal([]);
    await pass(60 * DAY_SECONDS);
    expect((await one.inUse()).due).to.have.members(["signing", "cookie"]);
  });

  it("lets the announced key sign at once when the signing one is dropped, or makes a new one", async () => {
    const next = await one.announce("signing", operatorAct("jana"));
    const first = await signingId();
    expect(await other.drop(first, operatorAct("petr"))).to.include({
      kid: first,
      state: "gone",
      droppedBy: "petr",
    });
    expect(await signingId()).to.equal(next?.kid);
    expect(await other.drop(next?.kid ?? "", operatorAct("petr"))).to.include({ state: "gone" });
    expect(await states("signing")).to.deep.equal(["signing"]);
    expect((await inUse("signing"))[0]).to.include({ madeBy: "petr" });
  });

  it("keeps a key that signs when the announced key is dropped just as it begins to", async () => {
    let looks = 0;
    const late: Database = {
      ...databases[0],
      transaction: (work, turn) =>
        databases[0].transaction(
          (queries) =>
            work({
              run: async (statement) => {
                const isLook = statement.name === "key-of-use" || statement.name === "key-now";
                if (isLook) looks += 1;
                if (isLook && looks === 2) await pass(301);
                return queries.run(statement);
              },
            }),
          turn,
        ),
    };
    const next = await one.announce("signing", operatorAct("jana"));
    const store = createKeyStore(late, { sealingKey, terms: TERMS });
    expect(await store.drop(next?.kid ?? "", operatorAct("jana"))).to.include({ state: "gone" });
    expect(looks).to.equal(2);
    expect(await states("signing")).to.include("signing");
    await pass(661);
    expect(await states("signing")).to.deep.equal(["signing"]);
  });

  it("keeps a key that signs when keys are dropped after the clock has jumped back before all of them (CLK-02)", async () => {
    const jana = operatorAct("jana");
    const first = await signingId();
    const second = (await one.announce("signing", jana))?.kid ?? "";
    await pass(301);
    const third = (await one.announce("signing", jana))?.kid ?? "";
    await pass(-3_600);
    for (const [dropped, signs] of [
      [third, second],
      [second, first],
    ] as const) {
      await one.drop(dropped, jana);
      expect((await inUse("signing"))[0]?.kid).to.equal(signs);
    }
    await one.drop(first, jana);
    expect(await states("signing")).to.deep.equal(["signing"]);
    expect((await one.inUse()).due).to.deep.equal([]);
  });

  for (const endedSeconds of [-300, 300])
    it(`recovers when the last key ${endedSeconds < 0 ? "has retired" : "is gone"} and no other follows`, async () => {
      await run(
        "UPDATE server_key SET retires_at = now() - interval '20 minutes', ends_at = now() - make_interval(secs => $1)",
        [endedSeconds],
      );
      expect((await one.inUse()).due).to.deep.equal(["signing", "cookie"]);
      const made = await fifty((store) => store.announceDue("signing"));
      expect(made.filter((key) => key !== undefined)).to.have.length(1);
      await fifty((store) => store.begin("cookie", []));
      expect((await one.inUse()).due).to.deep.equal([]);
      const left = endedSeconds < 0 ? ["signing", "retired"] : ["signing"];
      expect([await states("signing"), await states("cookie")]).to.deep.equal([left, left]);
    });

  it("reports when a key ended, whatever is dropped later, also when the clock jumps back (CLK-02)", async () => {
    const jana = operatorAct("jana");
    const first = await signingId();
    const announce = async () => (await one.announce("signing", jana))?.kid ?? "";
    const gone = await announce();
    await one.drop(gone, jana);
    const told = async () => (await other.list()).find(({ kid }) => kid === gone);
    const ended = await told();
    await announce();
    await one.drop(first, jana);
    expect(await told()).to.deep.equal(ended);
    const next = await announce();
    await pass(-60);
    const shifted = await told();
    await one.drop(next, jana);
    expect(await told()).to.deep.equal(shifted);
  });

  it("lets the signing key go on when the announced one is dropped, and another be announced", async () => {
    const first = await signingId();
    const next = await one.announce("signing", operatorAct("jana"));
    await one.drop(next?.kid ?? "", operatorAct("jana"));
    await pass(1_000);
    expect((await inUse("signing")).map(({ kid }) => kid)).to.deep.equal([first]);
    expect((await one.announce("signing", operatorAct("jana")))?.state).to.equal("announced");
  });

  it("drops a key once in fifty attempts, keeps one that signs, and announces it in the same transaction", async () => {
    const feed = createFeed(databases[0]);
    const before = await feed.head();
    const first = await signingId();
    const dropped = await fifty((store) => store.drop(first, operatorAct("jana")));
    expect(dropped.filter((key) => key !== undefined)).to.have.length(1);
    expect(await states("signing")).to.deep.equal(["signing"]);
    const told = await feed.readAfter({ position: before, mark: undefined });
    expect(told?.events.map(({ kind, key }) => ({ kind, key }))).to.deep.equal([
      { kind: "signing_key_dropped", key: first },
    ]);
    await one.drop((await inUse("cookie"))[0]?.kid ?? "", operatorAct("jana"));
    expect(await feed.head()).to.equal(before + 1);
    expect(await one.drop("unknown", operatorAct("jana"))).to.equal(undefined);
  });

  it("reports for a key dropped after it retired when it had stopped signing", async () => {
    const first = await signingId();
    await one.announce("signing", operatorAct("jana"));
    await pass(301);
    const retiredAt = (await one.list()).find(({ kid }) => kid === first)?.retiresAt;
    expect(await one.drop(first, operatorAct("jana"))).to.deep.include({
      state: "gone",
      retiresAt: retiredAt,
    });
    expect(await states("signing")).to.deep.equal(["signing"]);
  });

  it("deletes the secret of a key that is gone, and no clock that jumps back revives it (CLK-02)", async () => {
    const first = await signingId();
    await one.announce("signing", operatorAct("jana"));
    await pass(300 + 661);
    await run(DESTROY_ENDED_KEYS.text);
    const second = await signingId();
    await one.drop(second, operatorAct("jana"));
    await pass(-2_000);
    for (const kid of [first, second])
      expect((await one.list()).find((key) => key.kid === kid)?.state).to.equal("gone");
    for (const { kid } of await inUse("signing")) expect([first, second]).not.to.include(kid);
  });

  it("opens no secret with another sealing key, nor one copied into the row of another key", async () => {
    const stranger = createKeyStore(databases[0], {
      sealingKey: createSecretKey(randomBytes(32)),
      terms: TERMS,
    });
    const refusal = await rejectionOf(stranger.inUse());
    expect(refusal).to.be.an.instanceOf(DatabaseUnsuitable).with.property("code", "sealed_otherwise");
    expect(String(refusal)).to.match(/the sealing key \(SEALING_KEY_FILE\) does not open the \w+ key/);
    await run(`UPDATE server_key SET sealed_secret =
      (SELECT sealed_secret FROM server_key WHERE use = 'cookie') WHERE use = 'signing'`);
    expect(await rejectionOf(one.inUse())).to.be.an.instanceOf(DatabaseUnsuitable);
  });

  it("begins anew under another sealing key after the documented statement for a leaked one was run", async () => {
    const former = [...(await inUse("signing")), ...(await inUse("cookie"))].map(({ kid }) => kid);
    const another = createKeyStore(databases[0], {
      sealingKey: createSecretKey(randomBytes(32)),
      terms: TERMS,
    });
    await run(/sealing key has leaked[^`]*`([^`]+)`/.exec(readFileSync(OPERATING, "utf8"))?.[1] ?? "");
    await another.begin("signing", []);
    await another.begin("cookie", []);
    const { keys } = await another.inUse();
    expect(keys.map(({ use, state }) => [use, state])).to.have.deep.members([
      ["signing", "signing"],
      ["cookie", "signing"],
    ]);
    for (const { kid } of keys) expect(former).to.not.include(kid);
  });

  it("would take keys of files over again after that statement: the documentation says to start without them", async () => {
    const text = readFileSync(OPERATING, "utf8");
    const [paragraph = ""] = /\*\*When the sealing key has leaked.*?\n\n/s.exec(text) ?? [];
    expect(paragraph.replaceAll("\n", " ")).to.include("without `SIGNING_KEYS_FILE` and `COOKIE_KEYS_FILE`");
    const leaked = "d".repeat(43);
    await run(/`([^`]+)`/.exec(paragraph)?.[1] ?? "");
    await one.begin("cookie", importCookieKeys(new Secret(JSON.stringify([leaked]))));
    expect((await inUse("cookie")).map(({ secret }) => secret.reveal())).to.deep.equal([leaked]);
  });
});
