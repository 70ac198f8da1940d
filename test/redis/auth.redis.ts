import { join } from "node:path";
import { expect } from "chai";
import {
  byReference,
  type Fapi2Application,
  postAs,
  push,
  pushedFields,
  registerWithKey,
  VERIFIER,
} from "../auth/profiles/fapi2-application.ts";
import { authorizePath, consent, openBrowser, type PsuBrowser, signIn } from "../auth/psu-browser.ts";
import { PSUS, type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { postForm, REDIRECT_URI, register, type TestApplication } from "../auth/test-application.ts";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { type RedisServer, startRedis } from "../support/redis-servers.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { keysAndValues } from "./keys-and-values.ts";

const TRIES = 50;
const FOREIGN = /record that auth did not write/;
const SIGN_IN_FORM = 'action="/consents/sign-in"';
/** On a machine that stood still for seconds Redis may have answered too late: then it is begun once more. */
const MOST_BEGINNINGS = 3;
/** Of ten. */
const GIVEN_BEFORE = 3;

/** A browser on a page. */
interface Visit {
  readonly browser: PsuBrowser;
  readonly page: RawAnswer;
}

describe("Two auth processes on one Redis", function authOnRedis() {
  this.timeout(240_000);
  const folder = temporaryFolder();
  const copy = join(folder.path, "copy.rdb");
  let server: RedisServer;
  let auth: RunningAuth;
  let second: RunningAuth;
  /** Both, as behind a balancer that sends each call to the other one. */
  let both: RunningAuth;
  let application: TestApplication;
  let pushing: Fapi2Application;
  before(async () => {
    server = await startRedis();
    auth = await runAuth({ REDIS_URL: server.url });
    second = await runAuth({ REDIS_URL: server.url }, auth);
    let calls = 0;
    const next = () => {
      calls += 1;
      return calls % 2 === 0 ? auth : second;
    };
    both = { ...auth, call: (call) => next().call(call), browse: (call) => next().browse(call) };
    application = await register(auth);
    pushing = await registerWithKey(auth);
  });
  after(async () => {
    await second?.stop();
    await auth?.stop();
    await server?.stop();
    folder.remove();
  });

  const pushedPath = async () => authorizePath(pushing, byReference(await push(both, pushing)));

  /** Goes to the page on which the PSU consents. */
  async function comeToConsent(path = authorizePath(application), beginnings = 1): Promise<Visit> {
    const browser = openBrowser(both);
    const signInPage = await browser.follow(await browser.get(path));
    const page = await browser.follow(await signIn(auth, browser, signInPage));
    const isDisturbed = [signInPage, page].some(({ status }) => status === 503);
    if (!isDisturbed || beginnings === MOST_BEGINNINGS) return { browser, page };
    return comeToConsent(path, beginnings + 1);
  }

  /**
   * Of fifty who want the same at once one gets it. Where Redis did not answer one of them in time it may be nobody, and other
   * fifty have their turn.
   */
  async function expectOneOf(
    ask: () => Promise<readonly RawAnswer[]>,
    count: (answers: readonly RawAnswer[]) => number,
    beginnings = 1,
  ): Promise<readonly RawAnswer[]> {
    const answers = await ask();
    const isDisturbed = answers.some(({ status }) => status === 503);
    expect(count(answers)).to.be.within(isDisturbed ? 0 : 1, 1);
    if (!isDisturbed) return answers;
    expect(beginnings).to.be.lessThan(MOST_BEGINNINGS);
    return expectOneOf(ask, count, beginnings + 1);
  }

  /** Agrees, and gives where that leads in the end. */
  async function agree({ browser, page }: Visit): Promise<RawAnswer> {
    return browser.follow(await browser.post(page, "consent", { choice: "all" }));
  }

  const agreeOften = (visits: readonly Visit[]) => Promise.all(visits.map(agree));
  const codeOf = ({ headers }: RawAnswer) =>
    new URL(String(headers.location), "https://none.example").searchParams.get("code");
  const codesAmong = (answers: readonly RawAnswer[]) =>
    answers.map(codeOf).filter((code) => code !== null && code !== "");
  const countOf = (wanted: number) => (answers: readonly RawAnswer[]) =>
    answers.filter(({ status }) => status === wanted).length;
  const redeem = (code: string) =>
    postForm(both, "/oauth/token", application, {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
    });

  /** Redis as it was when it was saved. */
  async function restore(): Promise<void> {
    await server.kill();
    await server.start(copy);
    await recovered();
  }
  const recovered = () =>
    eventually(async () => {
      const answers = [auth, second].map((each) => each.browse({ path: authorizePath(application) }));
      return (await Promise.all(answers)).every(({ status }) => status === 303);
    });

  describe("when it answers", () => {
    it("keep sessions, interactions and pushed requests there, but the marks of use in the database", async () => {
      await agree(await comeToConsent(await pushedPath()));
      await comeToConsent(await pushedPath());
      const text = "SELECT DISTINCT kind FROM ephemeral_record ORDER BY kind";
      const rows = await auth.database.run<{ kind: string }>({ name: "kinds", text, values: [] });
      const kinds = ["PushedAuthorizationRequestUse", "ReplayDetection"];
      expect(rows.map(({ kind }) => kind)).to.deep.equal(kinds);
      const keys = (await server.client.keys("*")).join();
      for (const kind of ["Session", "Interaction", "PushedAuthorizationRequest"])
        expect(keys).to.contain(`:${kind}:`);
    });

    it("store nothing usable there as a cookie, reference or name", async () => {
      const path = await pushedPath();
      const { browser } = await comeToConsent(path);
      const everything = (await keysAndValues(server.client)).join("\n");
      const reference = new URL(path, "https://none.example").searchParams.get("request_uri") ?? "";
      const cookies = [...browser.cookies.values()].filter(({ value }) => value.length > 20);
      const names = cookies.map(({ name }) => name);
      expect(names).to.include.members(["__Host-session", "__Host-psu-session", "__Secure-interaction"]);
      const secrets = [...cookies.map(({ value }) => value), reference.split(":").at(-1) ?? ""];
      for (const secret of secrets) expect(everything).not.to.contain(secret);
    });

    it("sign nobody in by a forged session, and let its own PSU sign in anew", async () => {
      const browser = openBrowser(both);
      await signIn(auth, browser, await browser.get("/consents?lang=en"));
      expect((await browser.get("/consents")).body).to.not.contain(SIGN_IN_FORM);
      const [jana, petr] = PSUS.map(({ psuId }) => psuId);
      for (const key of await server.client.keys("*:Psu*")) {
        const kept = (await server.client.get(key)) ?? "";
        await server.client.set(key, kept.replaceAll(`"${jana}"`, `"${petr}"`), "KEEPTTL");
      }
      expect((await browser.get("/consents")).body).to.contain(SIGN_IN_FORM);
      const told = [...auth.logLines, ...second.logLines].filter(({ msg }) => FOREIGN.test(String(msg)));
      expect(told.map(({ kind }) => kind)).to.include("PsuSession");
      await signIn(auth, browser, await browser.get("/consents?lang=en"));
      expect((await browser.get("/consents")).body).to.not.contain(SIGN_IN_FORM);
    });

    it("accept one of fifty answers to a consent page", async () => {
      const agreed = async () => agreeOften(Array(TRIES).fill(await comeToConsent()));
      await expectOneOf(agreed, (answers) => new Set(codesAmong(answers)).size);
    });

    it("resume an interaction once in fifty attempts", async () => {
      const resumed = async () => {
        const { browser, page } = await comeToConsent();
        const answer = await browser.post(page, "consent", { choice: "all" });
        return Promise.all(Array.from({ length: TRIES }, () => browser.follow(answer)));
      };
      await expectOneOf(resumed, (answers) => codesAmong(answers).length);
    });

    it("give one code for fifty authorizations with one pushed request (FAPI 2.0 5.3.2.2)", async () => {
      const agreed = async () => {
        const path = await pushedPath();
        const visits: Visit[] = [];
        for (let begun = 0; begun < TRIES; begun += 1) visits.push(await comeToConsent(path));
        return agreeOften(visits);
      };
      await expectOneOf(agreed, (answers) => codesAmong(answers).length);
    });

    it("accept one of fifty calls with one assertion (RFC 7523 3)", async () => {
      const pushed = async () => {
        const assertion = await pushing.credentials();
        const call = () => postAs(both, pushing, "/oauth/par", { ...pushedFields(pushing), ...assertion });
        return Promise.all(Array.from({ length: TRIES }, call));
      };
      const answers = await expectOneOf(pushed, countOf(201));
      // So many failures are soon too many.
      const refused = answers.filter(({ status }) => status === 401 || status === 429);
      expect(refused).to.have.length(TRIES - 1);
    });

    it("redeem a code once in fifty attempts (RFC 6749 4.1.2)", async () => {
      const redeemed = async () => {
        const code = codeOf(await agree(await comeToConsent())) ?? "";
        return Promise.all(Array.from({ length: TRIES }, () => redeem(code)));
      };
      await expectOneOf(redeemed, countOf(200));
    });
  });

  for (const [loss, lose] of Object.entries({
    "was emptied": async () => {
      await server.client.flushall();
    },
    "came back as an old copy": restore,
  }))
    describe(`after it ${loss}`, () => {
      it("give no second code for an answer that was accepted before", async () => {
        const visit = await comeToConsent();
        await server.save(copy);
        expect(codesAmong([await agree(visit)])).to.have.length(1);
        await lose();
        expect(codesAmong(await agreeOften(Array(TRIES).fill(visit)))).to.have.length(0);
      });

      it("accept no pushed request a second time", async () => {
        const path = await pushedPath();
        await server.save(copy);
        expect(codesAmong([await agree(await comeToConsent(path))])).to.have.length(1);
        await lose();
        expect((await openBrowser(both).get(path)).status).to.equal(400);
      });

      it("accept no assertion a second time", async () => {
        const assertion = await pushing.credentials();
        const call = () => postAs(both, pushing, "/oauth/par", { ...pushedFields(pushing), ...assertion });
        await server.save(copy);
        expect((await call()).status).to.equal(201);
        await lose();
        expect((await call()).status).to.equal(401);
      });

      it("redeem no used code again, but every unused one", async () => {
        const used = codeOf(await agree(await comeToConsent())) ?? "";
        await server.save(copy);
        expect((await redeem(used)).status).to.equal(200);
        await lose();
        expect((await redeem(used)).status).to.equal(400);
        const unused = codeOf(await agree(await comeToConsent())) ?? "";
        await lose();
        expect((await redeem(unused)).status).to.equal(200);
      });

      it("let the PSU begin again", async () => {
        const { browser, page } = await comeToConsent();
        await server.save(copy);
        await lose();
        const lost = await browser.post(page, "consent", { choice: "all" });
        expect(lost.status).to.equal(404);
        expect((await consent(both, application)).searchParams.has("code")).to.equal(true);
      });
    });

  describe("when it is killed while PSUs consent", () => {
    /** Ten are asked and all agree, each twice at once. By then some have their code, and others are on their way. */
    async function letThemAgree(beginnings = 1) {
      const visits: Visit[] = [];
      // Each of an application of its own: what a PSU gives one of them changes the page of no other.
      for (let begun = 0; begun < 10; begun += 1)
        visits.push(await comeToConsent(authorizePath(await register(auth))));
      await server.save(copy);
      const over: RawAnswer[] = [];
      const asked = visits.map((visit) =>
        [agree(visit), agree(visit)].map(async (asking) => {
          const answer = await asking;
          over.push(answer);
          return answer;
        }),
      );
      const given = () => codesAmong(over).length;
      await eventually(() => given() >= GIVEN_BEFORE || over.length === asked.flat().length);
      const isDisturbed = given() < GIVEN_BEFORE && over.some(({ status }) => status === 503);
      if (isDisturbed && beginnings < MOST_BEGINNINGS) return letThemAgree(beginnings + 1);
      expect(given()).to.be.at.least(GIVEN_BEFORE);
      return { visits, asked };
    }

    it("give each PSU at most one code, and none again when an old copy comes back", async () => {
      const { visits, asked } = await letThemAgree();
      await server.kill();
      const answers = await Promise.all(asked.map((each) => Promise.all(each)));
      await server.start(copy);
      await recovered();
      for (const each of answers) expect(new Set(codesAmong(each)).size).to.be.at.most(1);
      expect(codesAmong(await agreeOften(visits))).to.have.length(0);
      expect((await consent(both, application)).searchParams.has("code")).to.equal(true);
    });
  });

  describe("while it is away", () => {
    let refreshToken: string;
    let path: string;
    before(async () => {
      const code = codeOf(await agree(await comeToConsent())) ?? "";
      refreshToken = JSON.parse((await redeem(code)).body).refresh_token;
      path = await pushedPath();
      await server.kill();
    });
    after(async () => {
      await server.start();
      await recovered();
    });

    it("show the PSU a page saying so within three seconds (503 with Retry-After)", async () => {
      const waited = startWaiting();
      for (const address of [authorizePath(application), path]) {
        const answer = await openBrowser(both).get(address);
        expect(answer.status).to.equal(503);
        expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
        expect(answer.headers).to.have.property("retry-after");
        expect(answer.body).not.to.match(/redis|ECONN/i);
      }
      expect(waited()).to.be.lessThan(3_000);
    });

    it("answer a pushed request with 503 and Retry-After", async () => {
      const answer = await postAs(both, pushing, "/oauth/par", pushedFields(pushing));
      expect(answer.status).to.equal(503);
      expect(answer.headers).to.have.property("retry-after");
      expect(JSON.parse(answer.body).error).to.equal("server_error");
    });

    it("refresh tokens, and accept assertions at the token endpoint", async () => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      expect((await postForm(both, "/oauth/token", application, form)).status).to.equal(200);
      const fields = { grant_type: "authorization_code", code: "none", code_verifier: VERIFIER };
      const answer = await postAs(both, pushing, "/oauth/token", { ...fields, redirect_uri: REDIRECT_URI });
      expect(JSON.parse(answer.body).error).to.equal("invalid_grant");
    });

    it("stay ready, as tokens are still served", async () => {
      const answer = await fetch(`http://127.0.0.1:${auth.ports.operator}/readyz`);
      expect(answer.status).to.equal(200);
      const metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
      expect(metrics).to.match(/^redis_up\{service="auth"\} 0$/m);
    });
  });

  describe("when it is there again", () => {
    it("recover by themselves", async () => {
      expect((await consent(both, application)).searchParams.has("code")).to.equal(true);
      const metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
      expect(metrics).to.match(/^redis_up\{service="auth"\} 1$/m);
      expect(metrics).to.match(/^redis_epochs_total\{service="auth"\} \d+$/m);
    });
  });
});
