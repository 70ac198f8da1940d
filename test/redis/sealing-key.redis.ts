import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSealingKey, seedSandboxDirectory } from "@cobs/auth/sandbox";
import { parsePsuId } from "@cobs/cobs-model";
import { openDatabase, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createEphemeralStoreInRedis } from "../../packages/auth/src/ephemeral/ephemeral-store-redis.ts";
import type { RecordMarks } from "../../packages/auth/src/ephemeral/marked-record.ts";
import { createStays } from "../../packages/auth/src/psu-session/stays.ts";
import { openBrowser, signIn } from "../auth/psu-browser.ts";
import { PSUS, type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { PATIENT } from "../support/test-databases.ts";
import { LATER_MARKS, MARKS, openSharedRedis, type SharedRedis } from "./open-shared-redis.ts";

const TERMS = { uid: undefined, lifetimeSeconds: 60 };
const JANA = parsePsuId("psu-jana");
const SIGN_IN_FORM = 'action="/consents/sign-in"';

describe("Records in Redis after a change of the sealing key", function sealingKey() {
  this.timeout(120_000);
  let server: RedisServer;
  let shared: SharedRedis;
  before(async () => {
    server = await startRedis();
    shared = await openSharedRedis(server.url);
  });
  after(async () => {
    await shared?.close();
    await server?.stop();
  });

  it("still count as used when they may be stored once, even if overwritten with an empty text", async () => {
    const key = { kind: "InteractionAnswer", id: "used" };
    await createEphemeralStoreInRedis(shared.fenced[0], MARKS).putNew(key, { a: 1 }, TERMS);
    for (const kept of await server.client.keys("*:InteractionAnswer:*"))
      await server.client.set(kept, "", "KEEPTTL");
    const later = createEphemeralStoreInRedis(shared.fenced[0], LATER_MARKS);
    expect(await later.putNew(key, { a: 2 }, TERMS)).to.equal(false);
    expect(await later.find(key)).to.equal(undefined);
  });

  it("lock no PSU out of the browser where their stay began, and let other stays be ended", async () => {
    const staysOf = (process: 0 | 1, marks: RecordMarks) => {
      const open = <Payload extends object>() =>
        createEphemeralStoreInRedis<Payload>(shared.fenced[process], marks);
      return createStays({
        stays: open(),
        presentSessions: open(),
        othersEnded: open(),
        clock: movableClock(),
        login: "sandbox",
      });
    };
    const begun = await staysOf(0, MARKS).enter("browser", JANA);
    await staysOf(0, MARKS).endOthers(JANA, undefined);
    const entered = await staysOf(0, LATER_MARKS).enter("browser", JANA);
    expect(entered.id).to.not.equal(begun.id);
    expect(await staysOf(1, LATER_MARKS).enter("browser", JANA)).to.deep.equal(entered);
    expect(await staysOf(1, LATER_MARKS).endOthers(JANA, undefined)).to.equal("over");
  });
});

describe("auth with another sealing key and the same Redis", function anotherKey() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let server: RedisServer;
  let auth: RunningAuth;
  before(async () => {
    server = await startRedis();
    auth = await runAuth({ REDIS_URL: server.url });
  });
  after(async () => {
    await auth?.stop();
    await server?.stop();
    folder.remove();
  });

  /** Does what OPERATING.md says of a key that has leaked, and seals the secrets of the sandbox's PSUs anew. */
  async function changeSealingKey(): Promise<void> {
    const former = auth;
    await former.stop();
    const text = randomBytes(32).toString("base64url");
    const file = join(folder.path, "sealing.key");
    writeFileSync(file, text, { mode: 0o600 });
    const database = openDatabase({
      url: new Secret(former.environment.TEST_DATABASE_URL ?? ""),
      maxConnections: 1,
      applicationName: "test",
      log: readableLog().log,
      timeLimits: PATIENT,
    });
    for (const table of ["server_key", "sandbox_psu"])
      await database.run({ name: table, text: `DELETE FROM ${table}`, values: [] });
    await seedSandboxDirectory(database, PSUS, readSealingKey(new Secret(text)));
    await database.close();
    auth = await runAuth({ SEALING_KEY_FILE: file }, former);
  }

  it("lets a PSU sign in anew in the browser where they were signed in", async () => {
    const browser = openBrowser({ ...auth, browse: (call) => auth.browse(call) });
    const enter = async () => signIn(auth, browser, await browser.get("/consents?lang=en"));
    await enter();
    expect((await browser.get("/consents")).body).to.not.contain(SIGN_IN_FORM);
    await changeSealingKey();
    expect((await browser.get("/consents")).body).to.contain(SIGN_IN_FORM);
    await enter();
    expect((await browser.get("/consents")).body).to.not.contain(SIGN_IN_FORM);
  });
});
