import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { untilShown } from "../pages/until-shown.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn, statusOf } from "../psu-browser.ts";
import { ISSUER, PSUS, type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY, register } from "../test-application.ts";
import { addPasskey, answerPage, askToRemove, enrolPasskey } from "./enrol-passkey.ts";
import { createAuthenticator, readAsking, USER_PRESENT } from "./software-authenticator.ts";

const MINUTE = 60_000;
const REFUSED = "We could not sign you in";
const PLACE = "/authenticator";

describe("A passkey at a running server", function signingInWithPasskeys() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;

  before(async () => {
    auth = await runAuth();
    second = await runAuth({}, auth);
  });
  beforeEach(() => auth.clock.advance(61 * MINUTE));
  after(async () => {
    await second.stop();
    await auth.stop();
  });

  const open = async (browser: PsuBrowser = openBrowser(auth)) => ({
    browser,
    page: await browser.get(`${PLACE}?lang=en`),
  });
  const isSignedIn = async (browser: PsuBrowser) =>
    (await browser.get(`${PLACE}?lang=en`)).body.includes("How you sign in");
  const passwordOf = (username: string) => PSUS.find((psu) => psu.username === username)?.password ?? "";
  async function methodsOfLast(): Promise<readonly string[]> {
    const text = "SELECT details FROM audit_entry WHERE action = 'psu.signed_in' ORDER BY id DESC LIMIT 1";
    const [row] = await auth.database.run<{ details: string }>({ name: "methods", text, values: [] });
    const { methods }: { methods: readonly string[] } = JSON.parse(row?.details ?? "{}");
    return methods;
  }

  it("signs in without username, password or code, and opens a session (RTS Article 4(1))", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const { browser, page } = await open();
    const answer = await browser.post(page, "sign-in", answerPage(page, authenticator));
    expect([answer.status, answer.headers.location]).to.deep.equal([303, PLACE]);
    expect(await isSignedIn(browser)).to.equal(true);
    expect(JSON.stringify(await methodsOfLast()))
      .to.include('"passkey"')
      .and.not.include("password");
  });

  it("signs in beside username and password in place of the code", async () => {
    const { authenticator } = await enrolPasskey(auth, "petr");
    const { browser, page } = await open();
    const typed = { username: "petr", password: passwordOf("petr") };
    const answer = await browser.post(page, "sign-in", { ...typed, ...answerPage(page, authenticator) });
    expect(answer.status).to.equal(303);
    expect(await isSignedIn(browser)).to.equal(true);
    expect(await methodsOfLast()).to.deep.equal(["password", "passkey"]);
  });

  it("signs in during an authorization in the same way", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(await register(auth))));
    const answer = await browser.post(page, "sign-in", answerPage(page, authenticator));
    expect((await browser.follow(answer)).body).to.match(/action="[^"]*\/consent"/);
  });

  it("is refused in the same words whether known or unknown, with a new challenge", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const stranger = createAuthenticator(ISSUER);
    const answers: RawAnswer[] = [];
    for (const [device, wrong] of [
      [authenticator, { flags: USER_PRESENT }],
      [authenticator, { origin: "https://evil.example" }],
      [authenticator, { counter: 1 }],
      [stranger, {}],
    ] as const) {
      const { browser, page } = await open();
      const refused = await browser.post(page, "sign-in", answerPage(page, device, wrong));
      expect([refused.status, refused.body.includes(REFUSED)]).to.deep.equal([422, true]);
      expect(refused.body).to.include("with this passkey").and.not.include("Check your user name");
      expect(await isSignedIn(browser)).to.equal(false);
      answers.push(refused);
      const again = await browser.post(refused, "sign-in", answerPage(refused, authenticator));
      expect(again.status).to.equal(303);
    }
    const bare = answers.map(({ body }) =>
      body.replace(/value="[^"]*"/g, "").replace(/data-asking="[^"]*"/g, ""),
    );
    expect(new Set(bare).size).to.equal(1);
  });

  it("is refused beside another PSU's password or a wrong one", async () => {
    const { authenticator: janas } = await enrolPasskey(auth, "jana");
    const attempts = [
      { username: "petr", password: passwordOf("petr") },
      { username: "jana", password: "wrong" },
      { username: "nobody", password: passwordOf("jana") },
    ];
    for (const typed of attempts) {
      const { browser, page } = await open();
      const refused = await browser.post(page, "sign-in", { ...typed, ...answerPage(page, janas) });
      expect([refused.status, refused.body.includes(REFUSED)]).to.deep.equal([422, true]);
    }
  });

  it("counts as no attempt while a field beside it is empty, which the page names", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const { browser, page } = await open();
    const asked = await browser.post(page, "sign-in", {
      username: "jana",
      password: "",
      ...answerPage(page, authenticator),
    });
    expect(asked.status).to.equal(422);
    expect(asked.body).to.include("Enter your password").and.not.include(REFUSED);
  });

  it("signs in once, of 50 posts of one answer in two processes (UI-16)", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const { browser, page } = await open();
    const { path, body, headers } = formOf(page, browser, answerPage(page, authenticator).assertion);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? auth : second).browse({ method: "POST", path, body, headers }),
      ),
    );
    const opensSession = ({ headers: sent }: (typeof answers)[number]) =>
      [sent["set-cookie"] ?? []].flat().some((line) => line.startsWith("__Host-psu-session="));
    expect(answers.filter(opensSession)).to.have.length(1);
    expect(opensSession(await auth.browse({ method: "POST", path, body, headers }))).to.equal(false);
  });

  it("signs in no other browser than the one that was asked, and not with an answer made at another origin", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const { browser, page } = await open();
    const other = await open();
    const answer = await other.browser.post(other.page, "sign-in", answerPage(page, authenticator));
    expect([answer.status, answer.body.includes(REFUSED)]).to.deep.equal([422, true]);
    const foreign = answerPage(page, authenticator, { origin: "https://evil.example" });
    const again = await browser.post(page, "sign-in", foreign);
    expect([again.status, again.body.includes(REFUSED)]).to.deep.equal([422, true]);
    expect((await browser.post(again, "sign-in", answerPage(again, authenticator))).status).to.equal(303);
  });

  it("is asked for anew after five minutes, with the reason and no attempt counted (RTS Article 4(3)(d))", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const { browser, page } = await open();
    let last = page;
    for (const [{ phrases }, typed] of [
      [en, {}],
      [en, { username: "jana", password: passwordOf("jana") }],
      ...Array.from({ length: 5 }, () => [cs, {}] as const),
    ] as const) {
      auth.clock.advance(5 * MINUTE);
      const late = await browser.post(last, "sign-in", { ...typed, ...answerPage(last, authenticator) });
      expect(late.status).to.equal(422);
      expect(late.body).to.include(`<a href="#passkey">${phrases.fault_passkey_late}</a>`);
      expect(late.body).to.not.include(phrases.fault_sign_in_refused).and.not.include(REFUSED);
      expect(/name="username"[^>]*value="jana"/.test(late.body)).to.equal("username" in typed);
      last = phrases === en.phrases && "username" in typed ? await browser.get(`${PLACE}?lang=cs`) : late;
    }
    auth.clock.advance(5 * MINUTE - 1);
    const answer = await browser.post(last, "sign-in", answerPage(last, authenticator));
    expect(answer.status).to.equal(303);
    expect(await isSignedIn(browser)).to.equal(true);
  });

  it("is blocked after five failures, while username and password still work (RTS Article 4(3)(b))", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const { browser, page } = await open();
    let last = page;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      last = await browser.post(last, "sign-in", answerPage(last, authenticator, { signature: true }));
      expect(last.status).to.equal(422);
    }
    const held = await browser.post(last, "sign-in", answerPage(last, authenticator));
    expect(held.status).to.equal(429);
    expect(held.body)
      .to.include("This passkey is blocked")
      .and.match(/too many failed attempts with this passkey/);
    expect(Number(held.headers["retry-after"])).to.be.within(1, 300);
    const other = await open();
    expect((await signIn(auth, other.browser, other.page, "jana")).status).to.equal(303);
    const [, shown = ""] = /try the passkey again after (\d\d:\d\d)\./.exec(held.body) ?? [];
    auth.clock.advance(untilShown(shown, auth.clock.now()));
    const again = await open();
    const answer = await again.browser.post(again.page, "sign-in", answerPage(again.page, authenticator));
    expect(answer.status, "at the minute that was shown").to.equal(303);
  });

  it("is known under one spelling of its id, so that no other escapes the block (RFC 4648 3.5)", async () => {
    const { authenticator } = await enrolPasskey(auth, "jana");
    const id = Buffer.from(authenticator.credentialId, "base64url");
    const spellings = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]
      .map((last) => `${authenticator.credentialId.slice(0, -1)}${last}`)
      .filter((each) => id.equals(Buffer.from(each, "base64url")));
    expect(spellings).to.have.length(16);
    for (const credentialId of spellings) {
      const { browser, page } = await open();
      await browser.post(page, "sign-in", answerPage(page, authenticator, { credentialId }));
      expect(await isSignedIn(browser), credentialId).to.equal(credentialId === authenticator.credentialId);
    }
  });

  it("has a button that only our script shows, on a page without scripts of others (UI-03)", async () => {
    const { page } = await open();
    const scripts = [
      ...page.body.matchAll(/<script src="(\/assets\/[a-z-]+\.[0-9a-f]{16}\.js)" defer><\/script>/g),
    ];
    const names = scripts.map(([, path = ""]) => path.split(/[/.]/)[2]);
    expect(names).to.deep.equal(["send-once", "passkeys"]);
    expect(page.body.match(/<script/g)).to.have.length(names.length);
    expect(page.body).to.match(/data-passkeys hidden/);
    expect(String(page.headers["content-security-policy"]))
      .to.include("script-src 'self'")
      .and.not.include("unsafe");
    for (const [, path = ""] of scripts) {
      const { status, headers } = await auth.browse({ path });
      expect([status, headers["content-type"], headers["cache-control"]]).to.deep.equal([
        200,
        "text/javascript; charset=utf-8",
        "public, max-age=31536000, immutable",
      ]);
    }
  });

  describe("on the page of authenticators", () => {
    async function arrive(username = "jana") {
      const browser = openBrowser(auth);
      const first = await browser.get(`${PLACE}?lang=en`);
      const page = await browser.follow(await signIn(auth, browser, first, username));
      return { browser, page };
    }

    it("is listed by name, in plain letters, and by last use, and can be removed (UI-09)", async () => {
      const { browser, page } = await arrive("petr");
      const passkey_name = `<b>phone</b>\u0000${"x".repeat(80)}`;
      const added = await addPasskey(browser, page, createAuthenticator(ISSUER), { passkey_name });
      expect([added.status, added.headers.location]).to.deep.equal([303, PLACE]);
      const { page: list } = await open(browser);
      expect(list.body).to.include("&lt;b&gt;phone&lt;/b&gt; xxx").and.include("Not used yet");
      expect(list.body).to.not.include("<b>phone");
      const removed = await browser.post(await askToRemove(browser, list, "&lt;b"), "passkey-remove");
      expect(removed.status).to.equal(303);
      expect((await open(browser)).page.body).to.not.include("&lt;b&gt;phone");
    });

    it("leaves the typed name in its field when it could not be added (WCAG 2.2 3.3.7)", async () => {
      const { browser, page } = await arrive("petr");
      const field = ({ body }: RawAnswer) => /<input id="passkey_name"[^>]*>/.exec(body)?.[0];
      expect(field(page)).to.not.include("value=");
      const typed = { attestation: "{}", passkey_name: ` <b>phone\u0000${"x".repeat(80)}` };
      const failed = await browser.post(page, "passkey-add", typed);
      expect([failed.status, failed.body.includes(en.phrases.fault_passkey_not_added)]).to.deep.equal([
        422,
        true,
      ]);
      expect(field(failed)).to.include(`value="&lt;b&gt;phone ${"x".repeat(51)}"`);
      expect((await addPasskey(browser, failed, createAuthenticator(ISSUER))).status).to.equal(303);
      expect(field((await open(browser)).page)).to.not.include("value=");
    });

    it("is said to be added or removed on the next page alone, in both languages", async () => {
      const { browser } = await arrive("petr");
      for (const [language, added, removed] of [
        [
          "en",
          /^The passkey has been added\. You can sign in/,
          /^The passkey has been removed\. Nobody can sign in/,
        ],
        ["cs", /^Přístupový klíč je přidaný\. Přihlašovat/, /^Přístupový klíč je odebraný\. Už se jím/],
      ] as const) {
        await browser.get(`${PLACE}?lang=${language}`);
        const list = await browser.follow(
          await addPasskey(browser, await browser.get(PLACE), createAuthenticator(ISSUER)),
        );
        expect(statusOf(list)).to.match(added);
        const again = await browser.get(PLACE);
        expect(statusOf(again)).to.equal(undefined);
        const question = await askToRemove(browser, again);
        const after = await browser.follow(await browser.post(question, "passkey-remove"));
        expect(statusOf(after)).to.match(removed);
        expect(statusOf(await browser.get(PLACE))).to.equal(undefined);
      }
    });

    it("ends its PSU's sessions elsewhere when it is removed, and no others (OWASP ASVS 7.4.3)", async () => {
      const { browser, authenticator } = await enrolPasskey(auth, "petr");
      const { browser: elsewhere, page } = await open();
      await elsewhere.post(page, "sign-in", answerPage(page, authenticator));
      const { browser: somebody } = await arrive("jana");
      expect(await isSignedIn(elsewhere)).to.equal(true);
      const { page: list } = await open(browser);
      const question = await askToRemove(browser, list);
      await browser.post(question, "passkey-remove");
      expect(await isSignedIn(elsewhere)).to.equal(false);
      expect([await isSignedIn(browser), await isSignedIn(somebody)]).to.deep.equal([true, true]);
      auth.clock.advance(MINUTE);
      expect(await isSignedIn((await arrive("petr")).browser)).to.equal(true);
    });

    it("leads to a new session id when it is removed, so that a copied cookie is useless (OWASP ASVS 7.4.3)", async () => {
      const { browser } = await enrolPasskey(auth, "petr");
      const { page: list } = await open(browser);
      const question = await askToRemove(browser, list);
      const headers = {
        cookie: [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; "),
      };
      const isSignedInThere = async () =>
        (await auth.browse({ path: "/consents", headers })).body.includes("/consents/sign-out");
      expect(await isSignedInThere()).to.equal(true);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => browser.post(question, "passkey-remove")),
      );
      for (const { status, headers: answered } of answers)
        expect([status, answered.location]).to.deep.equal([303, PLACE]);
      expect([await isSignedInThere(), await isSignedIn(browser)]).to.deep.equal([false, true]);
    });

    it("keeps the session id when its removal fails half-way, and changes it with the next try", async () => {
      const { browser } = await enrolPasskey(auth, "petr");
      const { page: list } = await open(browser);
      const question = await askToRemove(browser, list);
      const run = (text: string) =>
        auth.database.run<{ n: number }>({ name: randomUUID(), text, values: [] });
      const former = browser.cookies.get("__Host-psu-session")?.value;
      await run(
        "ALTER TABLE ephemeral_record ADD CONSTRAINT failing CHECK (kind <> 'PsuStaySession') NOT VALID",
      );
      expect((await browser.post(question, "passkey-remove")).status).to.equal(500);
      await run("ALTER TABLE ephemeral_record DROP CONSTRAINT failing");
      expect(browser.cookies.get("__Host-psu-session")?.value).to.equal(former);
      expect((await browser.post(question, "passkey-remove")).status).to.equal(303);
      expect(browser.cookies.get("__Host-psu-session")?.value).to.not.equal(former);
      expect(await isSignedIn(browser)).to.equal(true);
    });

    it("ends every session elsewhere also when its removal is repeated after it failed half-way", async () => {
      const { browser, authenticator } = await enrolPasskey(auth, "petr");
      const { browser: elsewhere, page } = await open();
      await elsewhere.post(page, "sign-in", answerPage(page, authenticator));
      const { page: list } = await open(browser);
      const question = await askToRemove(browser, list);
      const run = (text: string) => auth.database.run({ name: randomUUID(), text, values: [] });
      const constraint =
        "ALTER TABLE ephemeral_record ADD CONSTRAINT failing CHECK (kind <> 'PsuSessionsEnded')";
      await run(`${constraint} NOT VALID`);
      expect((await browser.post(question, "passkey-remove")).status).to.equal(500);
      await run("ALTER TABLE ephemeral_record DROP CONSTRAINT failing");
      expect(await isSignedIn(elsewhere)).to.equal(true);
      expect((await browser.post(question, "passkey-remove")).status).to.equal(303);
      expect([await isSignedIn(elsewhere), await isSignedIn(browser)]).to.deep.equal([false, true]);
    });

    it("ends, when it is removed, authorizations signed in elsewhere, but not its own (OWASP ASVS 7.4.3)", async () => {
      const { browser } = await enrolPasskey(auth, "petr");
      const address = authorizePath(await register(auth));
      const arriveAtConsent = async (at: PsuBrowser) =>
        at.follow(await signIn(auth, at, await at.follow(await at.get(address)), "petr"));
      const elsewhere = openBrowser(auth);
      const other = await arriveAtConsent(elsewhere);
      const own = await arriveAtConsent(browser);
      const { page: list } = await open(browser);
      const question = await askToRemove(browser, list);
      await browser.post(question, "passkey-remove");
      const refused = await elsewhere.post(other, "consent", { choice: "all" });
      expect(refused.status).to.equal(403);
      const back = await browser.follow(await browser.post(own, "consent", { choice: "all" }));
      expect(back.headers.location).to.match(/[?&]code=/);
    });

    it("cannot be added with an answer of another session, twice, or five minutes later", async () => {
      const { browser, page } = await arrive("petr");
      const authenticator = createAuthenticator(ISSUER);
      const { browser: other, page: otherPage } = await arrive("petr");
      expect((await addPasskey(other, otherPage, authenticator)).status).to.equal(303);
      const again = await addPasskey(other, otherPage, authenticator);
      expect([again.status, again.body.includes("has already been added")]).to.deep.equal([422, true]);
      const attestation = createAuthenticator(ISSUER).create(readAsking(otherPage.body, "create"));
      const strange = await browser.post(page, "passkey-add", { attestation });
      expect([strange.status, strange.body.includes("could not be added")]).to.deep.equal([422, true]);
      auth.clock.advance(5 * MINUTE);
      const late = await addPasskey(browser, page, createAuthenticator(ISSUER));
      expect([late.status, late.headers.location]).to.deep.equal([303, PLACE]);
      expect((await open(browser)).page.body).to.match(/action="\/authenticator\/sign-in"/);
    });
  });
});

/** The form of a page, ready to be posted any number of times. */
function formOf({ body }: RawAnswer, { cookies }: PsuBrowser, assertion: string) {
  const [, path = "", token = ""] =
    /action="([^"]*\/sign-in)"[\s\S]*?name="token" value="([^"]*)"/.exec(body) ?? [];
  const cookie = [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
  const fields = new URLSearchParams({ token, assertion });
  return { path, body: fields.toString(), headers: { ...FORM_BODY, cookie } };
}
