import { setTimeout as delay } from "node:timers/promises";
import { startAuth } from "@cobs/auth";
import { DATABASE_TIME_LIMITS, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { readableLog } from "../support/readable-log.ts";
import { authorizePath, openBrowser } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  FORM_BODY,
  JSON_BODY,
  postForm,
  register,
  type TestApplication,
} from "./test-application.ts";
import { isActive, refresh, tokensFor } from "./use-tokens.ts";

describe("auth with all its database connections in use", function allInUse() {
  this.timeout(120_000);
  /** Another process of the same server, which has time and connections. */
  let patient: RunningAuth;
  let auth: RunningAuth;
  let application: TestApplication;
  let released = false;
  let holding: Promise<unknown> = Promise.resolve();
  before(async () => {
    const limits = { databaseTimeLimits: DATABASE_TIME_LIMITS };
    const changed = {
      DATABASE_MAX_CONNECTIONS: "1",
      BANK_CALLERS: "resource=introspect,feed;operator=operator",
    };
    patient = await runAuth();
    application = await register(patient);
    auth = await runAuth(changed, patient, limits);
    // Whoever wants these tables waits until its statement has taken too long, and everybody else for the connection.
    await new Promise<void>((taken) => {
      holding = patient.database.transaction(async (queries) => {
        const text = "LOCK TABLE application, token, tpp IN ACCESS EXCLUSIVE MODE";
        await queries.run({ name: "lock", text, values: [] });
        taken();
        // A transaction that says nothing for long is ended.
        while (!released) {
          await queries.run({ name: "hold", text: "SELECT 1", values: [] });
          await delay(200);
        }
      });
    });
  });
  after(async () => {
    released = true;
    await holding;
    await auth?.stop();
    await patient?.stop();
  });

  it("answers 503 with Retry-After at every listener, in the format of each", async () => {
    const [ofTpps, ofPages, ofBank, ofOperator] = [
      Array.from({ length: 4 }, () => auth.call({ path: APPLICATIONS })),
      [openBrowser(auth).get(authorizePath(application))],
      [
        auth.callAsBank({
          method: "POST",
          path: "/oauth/introspect",
          headers: FORM_BODY,
          body: "token=a&client_id=resource",
        }),
      ],
      [auth.callAsBank({ path: "/operator/applications" }, "operator")],
    ];
    const token = postForm(auth, "/oauth/token", application, {
      grant_type: "refresh_token",
      refresh_token: "a",
    });
    const answers = await Promise.all([...ofTpps, token, ...ofPages, ...ofBank, ...ofOperator]);
    for (const answer of answers) {
      expect(answer.status, answer.body).to.equal(503);
      expect(Number(answer.headers["retry-after"])).to.be.within(1, 60);
    }
    const types = answers.map(({ headers }) => String(headers["content-type"]).split(";")[0]);
    expect(types.slice(4)).to.deep.equal([
      "application/json",
      "text/html",
      "application/json",
      "application/problem+json",
    ]);
  });
});

describe("auth while a TPP ends very much at once", function endsMuch() {
  this.timeout(120_000);
  const WAITING = `SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  /** Another process of the same server, at which the feed is held. */
  let other: RunningAuth;
  let auth: RunningAuth;
  before(async () => {
    other = await runAuth();
    const limits = { databaseTimeLimits: DATABASE_TIME_LIMITS };
    auth = await runAuth({ DATABASE_MAX_CONNECTIONS: "4" }, other, limits);
  });
  after(async () => {
    await auth?.stop();
    await other?.stop();
  });

  /** Holds the feed, and returns what releases it. */
  async function holdFeed(): Promise<() => void> {
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await new Promise<void>((held, failed) => {
      other.database
        .transaction(async (queries) => {
          await queries.run({ name: "hold-feed", text: "SELECT pos FROM feed_head FOR UPDATE", values: [] });
          held();
          await released;
        })
        .catch(failed);
    });
    return letGo;
  }

  async function areWaiting(): Promise<boolean> {
    const look = { name: "waiting", text: WAITING, values: [] };
    const [row] = await other.database.run<{ waiting: number }>(look);
    return (row?.waiting ?? 0) > 0;
  }

  const revoke = (application: TestApplication, token: string) =>
    postForm(auth, "/oauth/revoke", application, { token });

  /** Expects that another TPP is answered while all revocations wait, and that all of them succeed when repeated. */
  async function expectOthersAnswered(revokeAll: () => readonly Promise<RawAnswer>[]): Promise<void> {
    const foreign = await register(other, { scopes: ["aisp"] }, "second-tpp");
    const letGo = await holdFeed();
    const revoking = Promise.all(revokeAll());
    await eventually(areWaiting);
    const answer = await refresh(auth, foreign, "none");
    letGo();
    expect(answer.status, answer.body).to.equal(400);
    for (const { status } of await revoking) expect(status).to.be.oneOf([200, 503]);
    for (const { status } of await Promise.all(revokeAll())) expect(status).to.equal(200);
  }

  it("answers other TPPs while it revokes access tokens (RL-02)", async () => {
    const own = await register(other);
    const { refresh_token } = await tokensFor(other, own);
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(other, own, refresh_token)));
    const tokens: string[] = answers.map(({ body }) => JSON.parse(body).access_token);
    await expectOthersAnswered(() => tokens.map((token) => revoke(own, token)));
    for (const token of tokens) expect(await isActive(other, token)).to.equal(false);
  });

  it("answers other TPPs while it ends consents (RL-02)", async () => {
    const ended: (readonly [TestApplication, string])[] = [];
    for (const application of [await register(other), await register(other)])
      for (const username of ["jana", "petr"])
        ended.push([application, (await tokensFor(other, application, { username })).refresh_token]);
    await expectOthersAnswered(() => ended.map(([application, token]) => revoke(application, token)));
    for (const [application, token] of ended)
      expect((await refresh(other, application, token)).status).to.equal(400);
  });
});

describe("auth while an application with very many consents is ending", function endsApplication() {
  this.timeout(120_000);
  let auth: RunningAuth;
  before(async () => {
    const environment = { BANK_CALLERS: "resource=introspect,feed;operator=operator" };
    auth = await runAuth(environment, undefined, { databaseTimeLimits: DATABASE_TIME_LIMITS });
  });
  after(() => auth?.stop());

  it("refuses to block a PSU among them in time, blocks the TPP at once, and the PSU afterwards", async () => {
    const application = await register(auth);
    await tokensFor(auth, application);
    const order = (path: string, body: object) =>
      auth.callAsBank(
        { method: "POST", path: `/operator${path}`, headers: JSON_BODY, body: JSON.stringify(body) },
        "operator",
      );
    const block = () => order("/psus/psu-jana/block", { reason: "fraud" });
    const { organisationIdentifier: tpp } = auth.tpp(application.certificate);
    const [refused, stopped] = await auth.database.transaction(async (queries) => {
      const text = "SELECT FROM consent WHERE application_id = $1 FOR UPDATE";
      await queries.run({ name: "ending", text, values: [application.client_id] });
      return [await block(), await order("/stop-list", { tpp, reason: "fraud" })];
    });
    expect([refused.status, refused.headers["retry-after"] !== undefined]).to.deep.equal([503, true]);
    expect([stopped.status, (await block()).status]).to.deep.equal([201, 201]);
  });
});

describe("auth started before its database", function startedBefore() {
  this.timeout(120_000);
  it("waits for the database, says at /readyz what is missing, and starts by itself", async () => {
    const auth = await runAuth();
    const tunnel = await openTunnel(Number(new URL(auth.environment.TEST_DATABASE_URL ?? "").port));
    await tunnel.cut();
    const url = new URL(auth.environment.TEST_DATABASE_URL ?? "");
    url.port = String(tunnel.port);
    const operatorPort = await freePort();
    const config = { ...auth.config, databaseUrl: new Secret(url.href), operatorPort };
    const { log } = readableLog();
    const lifecycle = createLifecycle(log);
    const starting = startAuth(config, { log, lifecycle, clock: auth.clock });
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${operatorPort}/readyz`);
      return { status: answer.status, body: await answer.json() };
    };
    try {
      await eventually(async () => (await ask().catch(() => undefined)) !== undefined);
      expect(await ask()).to.deep.equal({
        status: 503,
        body: { ready: false, checks: { running: true, started: false, database: false } },
      });
      await tunnel.mend();
      await starting;
      expect(await ask()).to.deep.equal({
        status: 200,
        body: { ready: true, checks: { running: true, database: true } },
      });
    } finally {
      await lifecycle.stop();
      await tunnel.cut();
      await auth.stop();
    }
  });
});
