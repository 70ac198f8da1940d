import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { TOTP } from "otpauth";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { hashActivationCode } from "../../../packages/auth/src/psu/sandbox/activation-code.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { untilShown } from "../pages/until-shown.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn, statusOf, typedBy } from "../psu-browser.ts";
import { NEWCOMER, type RunningAuth, runAuth } from "../running-auth.ts";
import { register } from "../test-application.ts";
import { codeOf } from "./enrolment-code.ts";

const MINUTE = 60_000;

/** The code is drawn by the server; the one script of the page only holds second presses back. */
const ANY_BUT_SEND_ONCE = /<script(?! src="\/assets\/send-once\.[0-9a-f]{16}\.js" defer><)/;

describe("Sign-in at the page of authenticators", function signingIn() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let browser: PsuBrowser;

  before(async () => {
    auth = await runAuth();
  });
  beforeEach(() => {
    auth.clock.advance(61 * MINUTE);
    browser = openBrowser(auth);
  });
  after(() => auth.stop());

  const cookie = (name: string) => browser.cookies.get(name)?.value;
  const page = () => browser.get("/authenticator");
  const refusedWords = "We could not sign you in";
  const inEnglish = (path: string) => browser.get(`${path}?lang=en`);

  it("opens a session, under cookies that scripts and other sites cannot use (UI-06)", async () => {
    const first = await inEnglish("/authenticator");
    const answer = await signIn(auth, browser, first);
    expect(answer.status).to.equal(303);
    expect(answer.headers.location).to.equal("/authenticator");
    const lines = [answer.headers["set-cookie"] ?? []].flat();
    expect(lines).to.have.length(4);
    for (const line of lines) expect(line).to.match(/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie("__Host-psu-session")).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect((await page()).body)
      .to.contain("How you sign in")
      .and.to.contain("Signed in as jana");
  });

  it("gives another session id each time, and ends the former session (UI-05)", async () => {
    await signIn(auth, browser, await page());
    const first = cookie("__Host-psu-session");
    auth.clock.advance(5 * MINUTE);
    await signIn(auth, browser, await page());
    expect(cookie("__Host-psu-session")).to.not.equal(first);
    const kept = "SELECT FROM ephemeral_record WHERE kind = 'PsuSession' AND expires_at > now()";
    const before = await auth.database.run({ name: "sessions", text: kept, values: [] });
    await signIn(auth, browser, await openAgain());
    const after = await auth.database.run({ name: "sessions", text: kept, values: [] });
    expect(after.length).to.equal(before.length);
  });

  /** The sign-in page of this browser once more, when its authentication is too old for the page. */
  async function openAgain(): Promise<RawAnswer> {
    auth.clock.advance(5 * MINUTE);
    return page();
  }

  it("is asked for again after five minutes (RTS Article 4(3)(d))", async () => {
    await signIn(auth, browser, await page());
    auth.clock.advance(4 * MINUTE);
    expect((await page()).body).to.contain('action="/authenticator/replace"');
    auth.clock.advance(MINUTE);
    expect((await page()).body).to.contain('action="/authenticator/sign-in"');
  });

  it("names the minute until which a change can be made and another app confirmed (WCAG 2.2 2.2.1)", async () => {
    await signIn(auth, browser, await page());
    auth.clock.advance(MINUTE);
    const shown = /změnit tu něco .*? do\u00a0(\d+:\d\d) pražského času/i;
    const [, changeBy = ""] = shown.exec((await page()).body) ?? [];
    const enrolment = await browser.post(await page(), "replace");
    const [, confirmBy] = /Aplikaci potvrďte .*? do\u00a0(\d+:\d\d) pražského/.exec(enrolment.body) ?? [];
    expect(confirmBy).to.equal(changeBy);
    const left = untilShown(changeBy, auth.clock.now());
    expect(left).to.be.within(3 * MINUTE, 4 * MINUTE);
    auth.clock.advance(left - 1);
    expect((await page()).body).to.contain('action="/authenticator/replace"');
    auth.clock.advance(MINUTE);
    const late = await browser.post(enrolment, "confirm", {
      one_time_code: codeOf(enrolment, auth.clock.now()),
    });
    expect([late.status, late.headers.location]).to.deep.equal([303, "/authenticator"]);
    expect(statusOf(await page())).to.equal(`${cs.phrases.sign_in_ended} ${cs.phrases.sign_in_unconfirmed}`);
  });

  it("may come from an authorization, which itself asks for it every time", async () => {
    const application = await register(auth);
    const first = await browser.follow(await browser.get(authorizePath(application)));
    await signIn(auth, browser, first);
    expect((await page()).body).to.contain('action="/authenticator/replace"');
    const second = await browser.follow(await browser.get(authorizePath(application)));
    expect(second.body).to.match(/action="\/oauth\/interaction\/[^"]+\/sign-in"/);
  });

  it("sets up no app for a PSU whom the bank has blocked, at any step, nor after the release", async () => {
    const { psuId, username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    const run = (name: string, text: string, ...more: readonly Date[]) =>
      auth.database.run({ name, text, values: [psuId, ...more] });
    const block = () =>
      run(
        "block-newcomer",
        "INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at) VALUES ($1, 'r', 'o', $2)",
        auth.clock.now(),
      );
    const forgetBlock = () => run("forget-block", "DELETE FROM psu_block WHERE psu_id = $1");
    await block();
    try {
      const refused = await browser.post(await inEnglish("/authenticator"), "sign-in", typed);
      expect(refused.body).to.contain(refusedWords);
      await forgetBlock();
      await browser.post(await page(), "sign-in", typed);
      const enrolment = await inEnglish("/authenticator");
      await block();
      const one_time_code = codeOf(enrolment, auth.clock.now());
      expect((await browser.post(enrolment, "sign-in", { one_time_code })).status).to.equal(422);
      const release = "UPDATE psu_block SET released_by = 'o', released_at = $2 WHERE psu_id = $1";
      await run("release-newcomer", release, auth.clock.now());
      expect((await browser.post(enrolment, "sign-in", { one_time_code })).status).to.equal(422);
      const text = "SELECT sealed_totp_secret AS secret FROM sandbox_psu WHERE psu_id = $1";
      expect(await run("newcomer-secret", text)).to.deep.equal([{ secret: null }]);
    } finally {
      await forgetBlock();
    }
  });

  it("keeps the present app in force when another one was not set up", async () => {
    await signIn(auth, browser, await inEnglish("/authenticator"));
    const enrolment = await browser.post(await page(), "replace");
    expect(enrolment.body).to.match(/<a [^>]*href="\/authenticator">Keep the app that you use now<\/a>/);
    expect((await page()).body).to.contain("Signed in as jana");
    const other = openBrowser(auth);
    expect((await signIn(auth, other, await other.get("/authenticator"))).status).to.equal(303);
  });

  it("sets up an app with an activation code, and succeeds with its first code", async () => {
    const { username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    const next = await browser.post(await page(), "sign-in", typed);
    expect(next.headers.location).to.equal("/authenticator");
    const enrolment = await inEnglish("/authenticator");
    expect(enrolment.body).to.contain('<svg class="qr-code"').and.to.not.match(ANY_BUT_SEND_ONCE);
    const wrong = await browser.post(enrolment, "sign-in", { one_time_code: "000000" });
    expect(wrong.status).to.equal(422);
    expect(wrong.body).to.not.contain(refusedWords);
    expect(wrong.body).to.match(/<p class="fault" id="one_time_code-fault">This is not the code/);
    const one_time_code = codeOf(wrong, auth.clock.now());
    const entered = await browser.post(wrong, "sign-in", { one_time_code });
    expect(entered.status).to.equal(303);
    expect(cookie("__Host-psu-session")).to.not.equal(undefined);
    const other = openBrowser(auth);
    const again = await other.post(await other.get("/authenticator?lang=en"), "sign-in", typed);
    expect(again.body).to.contain(refusedWords);
  });

  it("begins again when it failed after an app was set up, instead of refusing codes for ever", async () => {
    const { psuId, username, password, activationCode } = NEWCOMER;
    const text = "UPDATE sandbox_psu SET sealed_totp_secret = NULL, activation_hash = $2 WHERE psu_id = $1";
    const values = [psuId, hashActivationCode(activationCode)];
    await auth.database.run({ name: "give-activation-code", text, values });
    const records = () =>
      run(`SELECT FROM audit_entry WHERE subject = '${psuId}' AND action = 'psu.sign_in_refused'`);
    const before = await records();
    await browser.post(await page(), "sign-in", { username, password, one_time_code: activationCode });
    const enrolment = await page();
    const enter = (to: RawAnswer, more = {}) =>
      browser.post(to, "sign-in", { one_time_code: codeOf(enrolment, auth.clock.now()), ...more });
    const constraint = "ALTER TABLE audit_entry ADD CONSTRAINT failing CHECK (action <> 'psu.signed_in')";
    await run(`${constraint} NOT VALID`);
    expect((await enter(enrolment)).status).to.equal(500);
    await run("ALTER TABLE audit_entry DROP CONSTRAINT failing");
    expect((await page()).body).to.contain('class="key"');
    const again = await browser.follow(await enter(enrolment));
    expect([again.status, again.body.includes('name="username"')]).to.deep.equal([200, true]);
    auth.clock.advance(30_000);
    expect((await enter(again, { username, password })).status).to.equal(303);
    expect(await records()).to.have.length(before.length);
  });

  const run = <Row extends object>(text: string) =>
    auth.database.run<Row>({ name: randomUUID(), text, values: [] });

  async function timesEnrolled(): Promise<number> {
    const kept = "SELECT FROM audit_entry WHERE action = 'authenticator.enrolled' AND subject = 'psu-petr'";
    return (await run(kept)).length;
  }

  const formerApp = async () => {
    const kept = "SELECT sealed_totp_secret AS secret FROM sandbox_psu WHERE psu_id = 'psu-petr'";
    const [former] = await run<{ secret: Buffer }>(kept);
    const text = "UPDATE sandbox_psu SET sealed_totp_secret = $1 WHERE psu_id = 'psu-petr'";
    return () => auth.database.run({ name: "former-app", text, values: [former?.secret] });
  };

  it("has an app tried before it is deleted, when the answer to its confirmation was dropped", async () => {
    const restore = await formerApp();
    await signIn(auth, browser, await page(), "petr");
    const enrolment = await browser.post(await page(), "replace");
    const hasty = openBrowser(auth);
    for (const each of browser.cookies.values()) hasty.plant(each);
    const typed = { one_time_code: codeOf(enrolment, auth.clock.now()) };
    await browser.post(enrolment, "confirm", typed);
    const told = await hasty.follow(await hasty.post(enrolment, "confirm", typed));
    expect(statusOf(told)).to.match(/zkuste se jimi nejdříve přihlásit\. Když je nepřijmeme, smažte/);
    auth.clock.advance(MINUTE / 2);
    const one_time_code = codeOf(enrolment, auth.clock.now());
    const answer = await hasty.post(told, "sign-in", { ...typedBy(auth, "petr"), one_time_code });
    expect(answer.status).to.equal(303);
    await restore();
  });

  it("takes another app once, of 50 posts, with a session id that makes a copied cookie useless (OWASP ASVS 7.4.3)", async () => {
    const restore = await formerApp();
    await signIn(auth, browser, await page(), "petr");
    const enrolment = await browser.post(await page(), "replace");
    const one_time_code = codeOf(enrolment, auth.clock.now());
    const before = await timesEnrolled();
    const left = await browser.get("/consents");
    const copied = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
    const posts = Array.from({ length: 50 }, () => browser.post(enrolment, "confirm", { one_time_code }));
    const answers = await Promise.all(posts);
    for (const { status, headers } of answers)
      expect([status, headers.location]).to.deep.equal([303, "/authenticator"]);
    expect(await timesEnrolled()).to.equal(before + 1);
    expect((await page()).body).to.contain('action="/authenticator/replace"');
    const thief = await auth.browse({ path: "/consents", headers: { cookie: copied } });
    expect(thief.body).to.contain('action="/consents/sign-in"');
    const stale = await browser.post(left, "sign-out");
    expect([stale.status, stale.body.includes('href="/consents"')]).to.deep.equal([403, true]);
    await restore();
  });

  it("takes no other app from a form of another PSU, of another session or without a session (UI-01)", async () => {
    await signIn(auth, browser, await page());
    const enrolment = await browser.post(await page(), "replace");
    const one_time_code = codeOf(enrolment, auth.clock.now());
    const strangers = openBrowser(auth);
    const lost = await strangers.post(enrolment, "confirm", { one_time_code });
    expect([lost.status, lost.headers.location]).to.deep.equal([303, "/authenticator"]);
    await signIn(auth, strangers, await strangers.get("/authenticator"), "petr");
    expect((await strangers.post(enrolment, "confirm", { one_time_code })).status).to.equal(403);
    auth.clock.advance(61 * MINUTE);
    await signIn(auth, browser, await page());
    expect((await browser.post(enrolment, "confirm", { one_time_code })).status).to.equal(403);
  });

  it("answers 400 to a form whose secret was not made for its PSU (RFC 9110 15.5.1)", async () => {
    await signIn(auth, browser, await page(), "petr");
    const strangers = await browser.post(await page(), "replace");
    const [, ofAnother = ""] = /name="draft" value="([^"]+)"/.exec(strangers.body) ?? [];
    expect(ofAnother).to.have.length.above(40);
    const other = openBrowser(auth);
    await signIn(auth, other, await other.get("/authenticator"));
    const enrolment = await other.post(await other.get("/authenticator"), "replace");
    for (const draft of [ofAnother, "A".repeat(40), "A".repeat(64), "", "'"]) {
      const answer = await other.post(enrolment, "confirm", { draft, one_time_code: "000000" });
      expect(answer.status, draft).to.equal(400);
    }
  });

  it("ends with the sign-out, whatever the browser still holds", async () => {
    await signIn(auth, browser, await page());
    const kept = cookie("__Host-psu-session") ?? "";
    const gone = await browser.post(await page(), "sign-out");
    expect(gone.status).to.equal(200);
    expect(cookie("__Host-psu-session")).to.equal(undefined);
    const headers = { cookie: `__Host-psu-session=${kept}` };
    const again = await auth.browse({ path: "/authenticator", headers });
    expect(again.body).to.contain('action="/authenticator/sign-in"');
  });

  it("ends with the sign-out even if it is too old for the page and its session lives on", async () => {
    await signIn(auth, browser, await page());
    const left = await page();
    auth.clock.advance(4 * MINUTE);
    await browser.get("/consents");
    auth.clock.advance(2 * MINUTE);
    const gone = await browser.post(left, "sign-out");
    expect([gone.status, cookie("__Host-psu-session")]).to.deep.equal([200, undefined]);
    expect((await browser.get("/consents")).body).to.contain('action="/consents/sign-in"');
  });

  it("ends when the bank blocks the PSU", async () => {
    await signIn(auth, browser, await page());
    const text = `INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at) VALUES ('psu-jana', 'r', 'o', $1)`;
    const release = "DELETE FROM psu_block WHERE psu_id = 'psu-jana'";
    await auth.database.run({ name: "block", text, values: [auth.clock.now()] });
    try {
      const first = await inEnglish("/authenticator");
      expect(first.body).to.contain('action="/authenticator/sign-in"');
      expect((await signIn(auth, browser, first)).body).to.contain(refusedWords);
    } finally {
      await auth.database.run({ name: "release", text: release, values: [] });
    }
  });

  it("succeeds once, of 50 posts of one one-time code in two processes (UI-16)", async () => {
    const second = await runAuth({}, auth);
    try {
      auth.clock.advance(MINUTE);
      const now = auth.clock.now();
      const one_time_code = new TOTP({ secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }).generate({
        timestamp: now.getTime(),
      });
      const typed = { username: "jana", password: "correct horse battery staple", one_time_code };
      const browsers = Array.from({ length: 50 }, (_, index) => openBrowser(index % 2 === 0 ? auth : second));
      const pages = await Promise.all(browsers.map((each) => each.get("/authenticator")));
      const answers = await Promise.all(
        browsers.map((each, index) => {
          const first = pages[index];
          if (first === undefined) throw new Error("no page");
          return each.post(first, "sign-in", typed);
        }),
      );
      expect(answers.filter(({ status }) => status === 303)).to.have.length(1);
    } finally {
      await second.stop();
    }
  });

  it("is led back from elsewhere to places of ours alone (UI-07)", async () => {
    const back = await browser.get("/sign-in/return?state=consents..abc&code=c&iss=x");
    expect([back.status, back.headers.location]).to.deep.equal([
      303,
      "/consents/return?state=consents..abc&code=c&iss=x",
    ]);
    for (const state of ["https://evil.example", "//evil.example", "elsewhere..abc", ""]) {
      expect((await browser.get(`/sign-in/return?state=${state}`)).status).to.equal(404);
    }
  });

  it("ends sessions elsewhere when another app is confirmed again after that failed half-way", async () => {
    const elsewhere = openBrowser(auth);
    await signIn(auth, elsewhere, await elsewhere.get("/authenticator"));
    await signIn(auth, browser, await page());
    const first = await page();
    expect(first.body).to.contain("ve všech ostatních prohlížečích vás odhlásíme.");
    const enrolment = await browser.post(first, "replace");
    const one_time_code = codeOf(enrolment, auth.clock.now());
    const constraint =
      "ALTER TABLE ephemeral_record ADD CONSTRAINT failing CHECK (kind <> 'PsuSessionsEnded')";
    await run(`${constraint} NOT VALID`);
    expect((await browser.post(enrolment, "confirm", { one_time_code })).status).to.equal(500);
    await run("ALTER TABLE ephemeral_record DROP CONSTRAINT failing");
    const isSignedIn = async (psu: PsuBrowser) =>
      (await psu.get("/authenticator")).body.includes('action="/authenticator/replace"');
    expect(await isSignedIn(elsewhere)).to.equal(true);
    const again = await browser.post(enrolment, "confirm", { one_time_code });
    expect([again.status, again.headers.location]).to.deep.equal([303, "/authenticator"]);
    const done = statusOf(await page());
    expect(done).to.equal(cs.phrases.done_authenticator_enrolled);
    expect(done).to.contain("Ve všech ostatních prohlížečích jsme vás odhlásili.");
    expect([await isSignedIn(elsewhere), await isSignedIn(browser)]).to.deep.equal([false, true]);
  });
});
