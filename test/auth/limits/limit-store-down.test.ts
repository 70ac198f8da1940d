import { DATABASE_TIME_LIMITS } from "@cobs/service-edge";
import { expect } from "chai";
import { startWaiting } from "../../support/stopwatch.ts";
import { authorizePath, openBrowser, signInNow } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { register, type TestApplication } from "../test-application.ts";
import { refresh, tokensFor } from "../use-tokens.ts";

describe("Auth while its store of limits does not answer (RL-04)", function storeDown() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth({}, undefined, { databaseTimeLimits: DATABASE_TIME_LIMITS });
    application = await register(auth);
  });
  after(() => auth.stop());

  /** Holds the table of the limits alone, as a disk that does not answer would. */
  const whileHeld = <T>(work: () => Promise<T>) =>
    auth.database.transaction(async (queries) => {
      await queries.run({
        name: "longer",
        text: "SET LOCAL idle_in_transaction_session_timeout = 20000",
        values: [],
      });
      await queries.run({ name: "hold", text: "LOCK TABLE rate_limit IN ACCESS EXCLUSIVE MODE", values: [] });
      return work();
    });

  it("still gives tokens, no later than a statement's time limit, and tells the operator", async () => {
    const { refresh_token } = await tokensFor(auth, application, { username: "petr" });
    const waited = startWaiting();
    const answer = await whileHeld(() => refresh(auth, application, refresh_token));
    expect(answer.status, answer.body).to.equal(200);
    expect(waited()).to.be.lessThan(6_000);
    expect(auth.logLines.map(({ msg }) => msg)).to.include(
      "a call could not be counted against its rate limits",
    );
    const metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
    expect(metrics).to.match(/^rate_limit_uncounted_total\{[^}]*\} [1-9]/m);
  });

  it("refuses sign-ins, because guesses would be unlimited (503 with Retry-After)", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const answer = await whileHeld(() => signInNow(auth, browser, page));
    expect(answer.status).to.equal(503);
    expect(answer.headers).to.have.property("retry-after");
    expect((await signInNow(auth, browser, page)).status).to.equal(303);
  });
});
