import { DATABASE_TIME_LIMITS } from "@cobs/service-edge";
import { expect } from "chai";
import { startWaiting } from "../support/stopwatch.ts";
import { authorizePath, openBrowser } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, FORM_BODY, postForm, register, type TestApplication } from "./test-application.ts";

describe("auth without its database", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth({}, undefined, { databaseTimeLimits: DATABASE_TIME_LIMITS, tunnelled: true });
    application = await register(auth);
    await auth.tunnel.cut();
  });
  after(() => auth.stop());

  it("answers 503 with Retry-After to TPPs, within three seconds and without a detail", async () => {
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

  it("shows the PSU a page that says so (503)", async () => {
    const answer = await openBrowser(auth).get(authorizePath(application));
    expect(answer.status).to.equal(503);
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
  });

  it("recovers by itself", async () => {
    await auth.tunnel.mend();
    expect((await auth.call({ path: APPLICATIONS })).status).to.equal(200);
  });
});
