import { setTimeout as delay } from "node:timers/promises";
import { startAuth } from "@cobs/auth";
import { DATABASE_TIME_LIMITS, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { createLifecycle } from "../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { openTunnel } from "../support/cuttable-tunnel.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { readableLog } from "../support/readable-log.ts";
import { authorizePath, openBrowser } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, FORM_BODY, postForm, register, type TestApplication } from "./test-application.ts";

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
