import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY } from "../test-application.ts";
import { answerPage, askToRemove, enrolPasskey } from "./enrol-passkey.ts";

const MINUTE = 60_000;
const PLACE = "/authenticator";
/** As if the bank had given an activation code in the place of the app, and back. */
const [TAKE_APP, GIVE_APP] = [
  "UPDATE sandbox_psu SET activation_hash = sealed_totp_secret, sealed_totp_secret = NULL WHERE psu_id = 'psu-jana'",
  "UPDATE sandbox_psu SET sealed_totp_secret = activation_hash, activation_hash = NULL WHERE psu_id = 'psu-jana'",
];

describe("The question before a passkey is removed", function removal() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;

  before(async () => {
    auth = await runAuth();
    second = await runAuth({}, auth);
  });
  beforeEach(() => auth.clock.advance(61 * MINUTE));
  afterEach(() => run("DELETE FROM passkey"));
  after(async () => {
    await second.stop();
    await auth.stop();
  });

  const run = (text: string) => auth.database.run({ name: randomUUID(), text, values: [] });
  const count = async () => (await run("SELECT FROM passkey")).length;
  const listOf = (browser: PsuBrowser) => browser.get(`${PLACE}?lang=en`);
  async function ask(username = "jana") {
    const holder = await enrolPasskey(auth, username);
    const question = await askToRemove(holder.browser, await listOf(holder.browser));
    return { ...holder, question };
  }
  const pathOf = ({ body }: RawAnswer) =>
    `${PLACE}?remove=${/name="passkey" value="([^"]+)"/.exec(body)?.[1]}`;

  it("names the passkey, its dates and the consequences, and removes nothing yet (WCAG 2.2 3.3.4)", async () => {
    const { browser, authenticator, question } = await ask();
    expect((await listOf(browser)).body).to.not.include(`action="${PLACE}/passkey-remove"`);
    expect(question.body).to.match(/<dt><bdi>phone<\/bdi><\/dt><dd>Added [^<]+\. Not used yet\.<\/dd>/);
    auth.clock.advance(5 * MINUTE);
    const again = await listOf(browser);
    await browser.post(again, "sign-in", answerPage(again, authenticator));
    for (const [language, { phrases }] of Object.entries({ en, cs })) {
      const { body } = await browser.get(`${pathOf(question)}&lang=${language}`);
      expect(/<h1>([^<]*)<\/h1>/.exec(body)?.[1]).to.equal(
        phrases.passkey_remove_title.replace("{name}", "phone"),
      );
      const [used = ""] = phrases.passkey_used.split("{");
      expect(body).to.include(used);
      for (const consequence of ["effect", "elsewhere", "again"] as const)
        expect(body).to.include(`<li>${phrases[`passkey_remove_${consequence}`]}</li>`);
      expect(body).to.include(`<a class="button" href="${PLACE}">${phrases.passkey_keep}</a>`);
    }
    expect(await count()).to.equal(1);
  });

  it("is about the same passkey when the language is changed", async () => {
    const { browser, question } = await ask();
    const [, path = ""] = /href="([^"]*lang=cs[^"]*)"/.exec(question.body) ?? [];
    const other = await browser.get(path.replaceAll("&amp;", "&"));
    expect(other.body).to.include(cs.phrases.passkey_remove_this).and.include("phone");
  });

  it("redirects to the list for a passkey that is gone, invented or somebody else's (UI-12)", async () => {
    const { question: ofAnother } = await ask("petr");
    const { browser, question } = await ask("jana");
    const own = pathOf(question);
    expect((await browser.post(question, "passkey-remove")).status).to.equal(303);
    for (const path of [own, pathOf(ofAnother), `${PLACE}?remove=%00`, `${PLACE}?remove=`]) {
      const answer = await browser.get(path);
      expect([answer.status, answer.headers.location], path).to.deep.equal([303, PLACE]);
    }
    expect(await count()).to.equal(1);
  });

  it("does not remove somebody else's passkey whose id is put into the form (UI-12)", async () => {
    const { question: ofAnother } = await ask("petr");
    const [, passkey = ""] = /name="passkey" value="([^"]+)"/.exec(ofAnother.body) ?? [];
    const { browser, question } = await ask("jana");
    const answer = await browser.post(question, "passkey-remove", { passkey });
    expect([answer.status, answer.headers.location]).to.deep.equal([303, PLACE]);
    expect(await count()).to.equal(2);
  });

  it("can be neither opened nor answered five minutes after the sign-in (RTS Article 4(3)(d))", async () => {
    const { browser, question } = await ask();
    auth.clock.advance(4 * MINUTE);
    expect((await browser.get(pathOf(question))).body).to.include(`action="${PLACE}/passkey-remove"`);
    // The session lives on with each request, the sign-in does not become newer.
    auth.clock.advance(MINUTE);
    expect((await browser.get(pathOf(question))).body).to.include(`action="${PLACE}/sign-in"`);
    const late = await browser.post(question, "passkey-remove");
    expect([late.status, late.headers.location]).to.deep.equal([303, PLACE]);
    expect(await count()).to.equal(1);
  });

  it("removes nothing with a form of another session, page or site, or without a session (UI-01)", async () => {
    const { browser, question } = await ask();
    const other = openBrowser(auth);
    await signIn(auth, other, await other.get(PLACE));
    expect((await other.post(question, "passkey-remove")).status).to.equal(403);
    const [, token = ""] = /"token" value="([^"]+)"/.exec((await listOf(browser)).body) ?? [];
    for (const wrong of [token, "made up", ""])
      expect((await browser.post(question, "passkey-remove", { token: wrong })).status, wrong).to.equal(403);
    const lost = await openBrowser(auth).post(question, "passkey-remove");
    expect([lost.status, lost.headers.location]).to.deep.equal([303, PLACE]);
    expect((await postFromElsewhere(browser, question)).status).to.equal(403);
    expect(await count()).to.equal(1);
  });

  async function postFromElsewhere({ cookies }: PsuBrowser, { body }: RawAnswer): Promise<RawAnswer> {
    const [, token = "", passkey = ""] =
      /"token" value="([^"]+)"[\s\S]*?name="passkey" value="([^"]+)"/.exec(body) ?? [];
    const cookie = [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
    const from = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    return auth.browse({
      method: "POST",
      path: `${PLACE}/passkey-remove`,
      headers: { ...FORM_BODY, cookie, ...from },
      body: new URLSearchParams({ token, passkey }).toString(),
    });
  }

  it("removes once, of 50 answers at once in two processes, all redirected to the list (UI-16)", async () => {
    const { browser, question } = await ask();
    const removals = () => run("SELECT FROM audit_entry WHERE action = 'credential.removed'");
    const before = (await removals()).length;
    const elsewhere = openBrowser(second);
    for (const cookie of browser.cookies.values()) elsewhere.plant(cookie);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? browser : elsewhere).post(question, "passkey-remove"),
      ),
    );
    for (const { status, headers } of answers) expect([status, headers.location]).to.deep.equal([303, PLACE]);
    expect(await removals()).to.have.length(before + 1);
  });

  it("removes no last authenticator of a PSU, and says so", async () => {
    const { browser, question } = await ask();
    await run(TAKE_APP);
    try {
      const refused = await browser.post(question, "passkey-remove");
      expect(refused.status).to.equal(422);
      expect(refused.body).to.include(en.phrases.fault_passkey_last).and.include("Remove “phone”");
      expect(await count()).to.equal(1);
    } finally {
      await run(GIVE_APP);
    }
  });
});
