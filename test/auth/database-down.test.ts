import { DATABASE_TIME_LIMITS } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, FORM_BODY, postForm, register, type TestApplication } from "./test-application.ts";

describe("auth without its database", () => {
  /** Another process of the same server, which has time for a database that is busy. */
  let patient: RunningAuth;
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    patient = await runAuth();
    application = await register(patient);
    auth = await runAuth({}, patient, { databaseTimeLimits: DATABASE_TIME_LIMITS, tunnelled: true });
    await auth.tunnel.cut();
  });
  after(async () => {
    await auth?.stop();
    await patient?.stop();
  });

  it("answers 503 with Retry-After to TPPs, within three seconds and without details", async () => {
    const waited = startWaiting();
    const answers = await Promise.all([
      auth.call({ path: APPLICATIONS }),
      postForm(auth, "/oauth/token", application, { grant_type: "refresh_token", refresh_token: "a" }),
      auth.callAsBank({
        method: "POST",
        path: "/oauth/introspect",
        headers: FORM_BODY,
        body: "token=a&client_id=resource",
      }),
    ]);
    for (const answer of answers) {
      expect(answer.status, answer.body).to.equal(503);
      expect(answer.headers).to.have.property("retry-after");
      expect(JSON.parse(answer.body).error).to.equal("server_error");
      expect(answer.body).not.to.match(/ECONN|postgres|127\.0\.0\.1/);
    }
    expect(waited()).to.be.lessThan(3_000);
  });

  it("shows the PSU an error page (503)", async () => {
    const answer = await openBrowser(auth).get(authorizePath(application));
    expect(answer.status).to.equal(503);
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
  });

  it("recovers by itself when the database is back", async () => {
    await auth.tunnel.mend();
    // A busy database may take longer for one call than it has.
    await eventually(async () => (await auth.call({ path: APPLICATIONS })).status === 200);
  });
});

const WAITS_FOR_US = {
  name: "waits-for-us",
  text: "SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))",
  values: [],
};

describe("auth whose database stored a consent but could not say so", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth({}, undefined, { tunnelled: true });
    application = await register(auth);
  });
  after(() => auth.stop());

  /** Lets a call wait in the database for the application, and loses the answer to the statement that has waited. */
  async function losingAnswer<T>(call: () => Promise<T>, isDone: () => Promise<boolean>): Promise<T> {
    const { answer } = await auth.database.transaction(async (queries) => {
      const text = "SELECT FROM application WHERE id = $1 FOR UPDATE";
      await queries.run({ name: "hold-application", text, values: [application.client_id] });
      const answer = call();
      await eventually(async () => (await queries.run(WAITS_FOR_US)).length > 0);
      auth.tunnel.stall();
      auth.tunnel.flow();
      return { answer };
    });
    await eventually(isDone);
    auth.tunnel.drop();
    return answer;
  }

  it("continues with that consent, which the PSU can no longer decline", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    const agree = (to: RawAnswer) => browser.post(to, "consent", { choice: "all" });
    const consents = async () => {
      const text = "SELECT FROM consent WHERE application_id = $1";
      return auth.database.run({ name: "consents-of", text, values: [application.client_id] });
    };
    const lost = await losingAnswer(
      () => agree(consentPage),
      async () => (await consents()).length > 0,
    );
    expect(lost.status).to.equal(503);
    expect((await browser.post(consentPage, "cancel")).status).to.equal(404);
    const back = await browser.follow(await agree(consentPage));
    expect(new URL(String(back.headers.location)).searchParams.has("code")).to.equal(true);
    expect(await consents()).to.have.length(1);
  });
});

const FAIL_SESSIONS = [
  `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$`,
  `CREATE TRIGGER fail BEFORE INSERT ON ephemeral_record FOR EACH ROW WHEN (new.kind = 'Session')
    EXECUTE FUNCTION fail()`,
];

describe("auth whose database keeps failing after a code was made", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth();
    application = await register(auth);
  });
  after(() => auth.stop());

  it("shows the PSU a page (503) that says what to do if the authorization is over, and sends no code", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    const agreed = await browser.post(consentPage, "consent", { choice: "all" });
    const { pathname } = new URL(String(agreed.headers.location));
    for (const text of FAIL_SESSIONS) await auth.database.pool.query(text);
    const failed = await browser.get(pathname);
    expect(failed.status).to.equal(503);
    expect(failed.headers["content-type"]).to.equal("text/html; charset=utf-8");
    expect(failed.headers).to.not.have.property("location");
    expect(failed.body).to.include("vraťte se do aplikace").and.to.include(`href="${pathname}"`);
    await auth.database.pool.query("DROP TRIGGER fail ON ephemeral_record");
    expect((await browser.get(pathname)).body).to.include("Tato stránka už neplatí");
  });
});
