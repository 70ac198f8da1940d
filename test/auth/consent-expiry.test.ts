import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { postForm, register, type TestApplication } from "./test-application.ts";
import { isActive, refresh, tokensFor } from "./use-tokens.ts";

const DAYS = 181;
const DAY = 24 * 60 * 60 * 1000;

interface Given {
  readonly application: TestApplication;
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

describe("Consents after 181 days", function later() {
  this.timeout(120_000);
  let clock: DatabaseWithMovableClock;
  let auth: RunningAuth;
  let folder: ReturnType<typeof temporaryFolder>;
  let keyFile: string;

  beforeEach(async () => {
    clock = await createDatabaseWithMovableClock();
    folder = temporaryFolder();
    // Of its own, so that it is still there when the server comes back.
    keyFile = join(folder.path, "sealing.key");
    writeFileSync(keyFile, randomBytes(32).toString("base64url"), { mode: 0o600 });
    auth = await runAuth({ SEALING_KEY_FILE: keyFile }, undefined, { ownDatabase: clock.url });
  });
  afterEach(async () => {
    await auth.stop();
    folder.remove();
  });

  async function pass(): Promise<void> {
    auth.clock.advance(DAYS * DAY);
    await clock.advanceDays(DAYS);
  }

  async function give(username: string): Promise<Given> {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application, { username });
    const text = "SELECT id FROM consent WHERE application_id = $1";
    const values = [application.client_id];
    const [row] = await auth.database.run<{ id: string }>({ name: "id", text, values });
    return {
      application,
      id: row?.id ?? "",
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    };
  }

  const count = async (text: string, values: readonly unknown[]) =>
    Number((await auth.database.run<{ rows: bigint }>({ name: "", text, values }))[0]?.rows);
  const allWritten = async (ids: readonly string[]) =>
    (await count(
      "SELECT count(*) AS rows FROM consent WHERE id = ANY($1) AND end_reason = 'expired' AND ended_at = valid_until",
      [ids],
    )) === ids.length;

  async function expectHistory(given: readonly Given[]): Promise<void> {
    const ids = given.map(({ id }) => id);
    await eventually(() => allWritten(ids));
    const entries = `SELECT count(*) AS rows FROM audit_entry
      WHERE action = 'consent.expired' AND actor_kind = 'server' AND actor = 'consent expiry' AND subject = ANY($1)`;
    expect(await count(entries, [ids])).to.equal(ids.length);
    const events = "SELECT count(*) AS rows FROM feed_event WHERE kind = 'consent' AND key = ANY($1)";
    expect(await count(events, [ids])).to.equal(ids.length);
    expect(await count("SELECT count(*) AS rows FROM token WHERE grant_id = ANY($1)", [ids])).to.equal(0);
  }

  it("have ended on a running server, with their history written, and give no access", async () => {
    const given = [await give("jana"), await give("petr"), await give("jana")];
    await pass();
    await expectHistory(given);
    for (const { application, accessToken, refreshToken } of given) {
      expect(await isActive(auth, accessToken)).to.equal(false);
      expect((await refresh(auth, application, refreshToken)).status).to.equal(400);
    }
    const browser = openBrowser(auth);
    await signIn(auth, browser, await browser.get("/consents?lang=en"));
    const page = await browser.get("/consents");
    expect(page.body).to.contain("No company has access").and.to.contain("It has expired.");
  });

  it("have also ended when they expired while no process ran, which only one of several processes records", async () => {
    const given = [await give("jana"), await give("petr")];
    await auth.stop();
    await pass();
    auth = await runAuth({ SEALING_KEY_FILE: keyFile }, auth);
    const second = await runAuth({ SEALING_KEY_FILE: keyFile }, auth);
    await expectHistory(given).finally(() => second.stop());
  });

  it("have not ended when only the database's clock says so, and work again when it is set back", async () => {
    const { application, id, refreshToken } = await give("jana");
    await clock.advanceDays(DAYS);
    const told = (msg: string) => auth.logLines.some((line) => line.msg === msg);
    await eventually(() => told("expired consents could not be ended"));
    await eventually(() => told("expired records could not be deleted"));
    expect(
      await count("SELECT count(*) AS rows FROM consent WHERE id = $1 AND ended_at IS NULL", [id]),
    ).to.equal(1);
    await clock.advanceDays(-DAYS);
    expect((await refresh(auth, application, refreshToken)).status).to.equal(200);
  });

  const revoke = (application: TestApplication, token: string) =>
    postForm(auth, "/oauth/revoke", application, { token });

  it("do not regain tokens that a TPP revoked while the database's clock was ahead (RFC 7009 2.1)", async () => {
    const [refreshed, opened] = [await give("jana"), await give("petr")];
    await clock.advanceDays(DAYS);
    expect((await revoke(refreshed.application, refreshed.refreshToken)).status).to.equal(200);
    expect((await revoke(opened.application, opened.accessToken)).status).to.equal(200);
    await clock.advanceDays(-DAYS);
    const again = await refresh(auth, refreshed.application, refreshed.refreshToken);
    expect(again.status, again.body).to.equal(400);
    expect(await isActive(auth, refreshed.accessToken)).to.equal(false);
    expect(await isActive(auth, opened.accessToken)).to.equal(false);
    expect((await refresh(auth, opened.application, opened.refreshToken)).status).to.equal(200);
  });

  it("can be ended with a refresh token that has expired only by one process's clock", async () => {
    const { application, id, refreshToken } = await give("jana");
    const text = `UPDATE token SET payload = payload || '{"exp": 1}' WHERE grant_id = $1`;
    await auth.database.run({ name: "", text, values: [id] });
    expect((await refresh(auth, application, refreshToken)).status).to.equal(400);
    expect((await revoke(application, refreshToken)).status).to.equal(200);
    const ended =
      "SELECT count(*) AS rows FROM consent WHERE id = $1 AND end_reason = 'refresh_token_revoked'";
    expect(await count(ended, [id])).to.equal(1);
  });
});
