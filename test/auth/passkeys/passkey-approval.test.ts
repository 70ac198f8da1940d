import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { cs } from "../../../packages/auth/src/pages/texts/cs.ts";
import { en } from "../../../packages/auth/src/pages/texts/en.ts";
import { signingCs } from "../../../packages/auth/src/pages/texts/signing-cs.ts";
import { eventually } from "../../support/eventually.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { openBrowser, type PsuBrowser, signIn, statusOf } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { openDesk, pathOf, type SigningDesk, type ToldSigning } from "../signing/signing-desk.ts";
import { FORM_BODY } from "../test-application.ts";
import { answerPage, askToRemove, enrolPasskey } from "./enrol-passkey.ts";
import {
  type Asking,
  readAsking,
  type SoftwareAuthenticator,
  USER_PRESENT,
} from "./software-authenticator.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe("A passkey for approving an order", function approving() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let second: RunningAuth;
  let desk: SigningDesk;
  let authenticator: SoftwareAuthenticator;
  before(async () => {
    const callers = { BANK_CALLERS: "resource=introspect,feed,signing;operator=operator" };
    auth = await runAuth(callers);
    second = await runAuth(callers, auth);
    desk = await openDesk(auth);
    ({ authenticator } = await enrolPasskey(auth, "jana"));
    auth.clock.advance(DAY);
  });
  // Wrong answers count for all orders of a PSU together.
  beforeEach(async () => {
    auth.clock.advance(60 * MINUTE);
    await auth.database.run({ name: "forget", text: "DELETE FROM signing_standing", values: [] });
  });
  after(async () => {
    await second.stop();
    await auth.stop();
  });

  const stateOf = async ({ id }: ToldSigning) => (await desk.find(id)).state;
  const sealOf = ({ body }: RawAnswer) => /name="seal" value="([^"]+)"/.exec(body)?.[1] ?? "";
  const answer = (page: RawAnswer, wrong = {}) => ({
    seal: sealOf(page),
    ...answerPage(page, authenticator, wrong),
  });
  /** Waits until the last answer of an authenticator was taken. */
  async function untilUsed({ credentialId }: SoftwareAuthenticator): Promise<void> {
    const text = "SELECT FROM passkey WHERE credential_id = $1 AND counter = 3";
    const values = [Buffer.from(credentialId, "base64url")];
    await eventually(async () => (await auth.database.run({ name: "test-used", text, values })).length > 0);
  }
  const approve = (browser: PsuBrowser, page: RawAnswer, fields: Readonly<Record<string, string>>) =>
    browser.post(page, "approve", { code: "", ...fields });

  it("is offered beside the code, to its own PSU alone", async () => {
    const { page } = await desk.arrive(await desk.request());
    const asking: Asking & { readonly allowCredentials?: readonly { readonly id: string }[] } = readAsking(
      page.body,
      "get",
    );
    expect(asking.allowCredentials?.map(({ id }) => id)).to.deep.equal([authenticator.credentialId]);
    expect(page.body).to.include('id="code"');
    const browser = openBrowser(auth);
    const first = await browser.get(pathOf(await desk.request({ body: { psu: "psu-petr" } })));
    const order = await browser.follow(await signIn(auth, browser, first, "petr"));
    expect(order.body).to.include('id="code"').and.not.include("data-passkey");
  });

  it("approves this very order without a code, and is recorded (RTS Articles 4, 5)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const approved = await approve(browser, page, answer(page));
    expect([approved.status, approved.headers.location]).to.deep.equal([303, pathOf(told)]);
    const { state, approval, digest } = await desk.find(told.id);
    expect(state).to.equal("approved");
    expect(approval?.digest).to.equal(digest);
    expect(approval?.methods).to.deep.equal(["password", "totp", "passkey"]);
  });

  it("is enough after a sign-in with the same passkey, three pages from the TPP and back", async () => {
    const told = await desk.request();
    const browser = openBrowser(auth);
    const first = await browser.get(pathOf(told));
    const page = await browser.follow(await browser.post(first, "sign-in", answerPage(first, authenticator)));
    await approve(browser, page, answer(page));
    expect((await desk.find(told.id)).approval?.methods).to.deep.equal(["passkey", "passkey"]);
  });

  it("approves no other order, and none with an answer to an earlier page (RTS Article 5(1)(b))", async () => {
    const told = await desk.request();
    const other = await desk.request({ order: { amount: "1500.51" } });
    const { browser, page } = await desk.arrive(told);
    const otherPage = await browser.get(pathOf(other));
    const good = answer(page);
    const moved = await approve(browser, otherPage, good);
    expect([moved.status, await stateOf(other)]).to.deep.equal([422, "waiting"]);
    const swapped = await approve(browser, otherPage, { ...good, seal: sealOf(otherPage) });
    expect([swapped.status, await stateOf(other)]).to.deep.equal([422, "waiting"]);
    expect(swapped.body).to.include('href="#passkey"');
    const next = await browser.get(pathOf(told));
    expect((await approve(browser, next, { ...answer(page), seal: sealOf(next) })).status).to.equal(422);
  });

  it("approves nothing with an answer given in another session, even to the same order", async () => {
    const told = await desk.request();
    const { page } = await desk.arrive(told);
    const { browser: other, page: otherPage } = await desk.arrive(told);
    const strange = await approve(other, otherPage, answer(page));
    expect([strange.status, await stateOf(told)]).to.deep.equal([422, "waiting"]);
  });

  it("is refused when it is another PSU's, at another origin, or without user verification", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const { authenticator: petrs } = await enrolPasskey(auth, "petr");
    const strange = { seal: sealOf(page), ...answerPage(page, petrs) };
    expect((await approve(browser, page, strange)).status).to.equal(422);
    expect((await approve(browser, page, answer(page, { flags: USER_PRESENT }))).status).to.equal(422);
    expect((await approve(browser, page, answer(page, { origin: "https://evil.example" }))).status).to.equal(
      422,
    );
    expect(await stateOf(told)).to.equal("waiting");
    expect((await approve(browser, page, answer(page))).status).to.equal(303);
    expect(await stateOf(told)).to.equal("approved");
  });

  it("approves nothing in its first 24 hours, in case of a stolen session (RTS Article 24(2)(b))", async () => {
    const { browser: thief, authenticator: added } = await enrolPasskey(auth, "petr");
    const ofPetr = () => desk.request({ body: { psu: "psu-petr" } });
    const isOffered = async () => (await thief.get(pathOf(await ofPetr()))).body.includes(added.credentialId);
    expect(await isOffered()).to.equal(false);
    auth.clock.advance(DAY - 1);
    const page = await thief.get(pathOf(await ofPetr()));
    await thief.follow(await thief.post(page, "sign-in", answerPage(page, added)));
    expect(await isOffered()).to.equal(false);
    auth.clock.advance(1);
    expect(await isOffered()).to.equal(true);
  });

  it("approves nothing in its first 24 hours even by answering a question for older passkeys", async () => {
    const told = await desk.request();
    const { browser, authenticator: added } = await enrolPasskey(auth, "jana");
    const page = await browser.get(pathOf(told));
    const strange = { seal: sealOf(page), ...answerPage(page, added) };
    expect([(await approve(browser, page, strange)).status, await stateOf(told)]).to.deep.equal([
      422,
      "waiting",
    ]);
    expect((await approve(browser, page, answer(page))).status).to.equal(303);
    expect(await stateOf(told)).to.equal("approved");
  });

  it("ends the order in refusal with the fifth wrong answer (RTS Article 4(3)(b))", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await approve(browser, page, answer(page, { signature: true }));
    }
    const { state, reason } = await desk.find(told.id);
    expect([state, reason]).to.deep.equal(["refused", "tries_exhausted"]);
    expect((await browser.get(pathOf(told))).body).to.contain(
      "Pětkrát byl kód nebo přístupový klíč nesprávný",
    );
  });

  it("leads to a new sign-in and counts no try when question and sign-in are five minutes old (RTS Article 4(3)(d))", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    auth.clock.advance(4 * MINUTE);
    // The session lives on with each request, the question does not.
    await browser.get(pathOf(await desk.request()));
    auth.clock.advance(MINUTE);
    const late = await approve(browser, page, answer(page));
    expect([late.status, late.headers.location]).to.deep.equal([303, pathOf(told)]);
    expect(statusOf(await browser.follow(late))).to.equal(cs.phrases.sign_in_ended);
    expect(await stateOf(told)).to.equal("waiting");
  });

  it("leads back to the order with the reason, and counts no try, when only the question is too old", async () => {
    for (const [language, { phrases }] of Object.entries({ en, cs })) {
      const told = await desk.request();
      const { browser } = await desk.arrive(told);
      let page = await browser.get(`${pathOf(told)}?lang=${language}`);
      for (let tries = 0; tries < 5; tries += 1) {
        const { seal, assertion } = answer(page);
        const [, madeAt = "", nonce = ""] = /^(\d+)(\..*)$/.exec(seal) ?? [];
        const older = `${Number(madeAt) - 5 * MINUTE}${nonce}`;
        page = await approve(browser, page, { assertion, seal: older });
        expect(page.status).to.equal(422);
        expect(page.body).to.include(`<a href="#passkey">${phrases.fault_passkey_late}</a>`);
        expect(page.body).to.not.include(phrases.fault_passkey_wrong);
      }
      expect(await stateOf(told)).to.equal("waiting");
      await approve(browser, page, answer(page));
      expect(await stateOf(told)).to.equal("approved");
    }
  });

  it("is named as the only way left when there is no further code for the order", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let asked = 1; asked < 5; asked += 1) await browser.post(page, "code");
    auth.clock.advance(MINUTE);
    const another = await desk.arrive(told);
    expect(another.page.body)
      .to.contain(`<a href="#passkey">${signingCs.phrases.fault_code_none}</a>`)
      .and.contain(signingCs.phrases.passkey_order_elsewhere)
      .and.not.contain(signingCs.phrases.bound_code_hint)
      .and.not.contain(signingCs.phrases.fault_codes_used_up);
    expect(page.body).to.not.contain(signingCs.phrases.passkey_order_elsewhere);
    await approve(another.browser, another.page, answer(another.page));
    expect(await stateOf(told)).to.equal("approved");
  });

  it("is named as the only way left after an empty form or a wrong answer too, with no code said to be sent", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let asked = 1; asked < 5; asked += 1) await browser.post(page, "code");
    const { browser: another, page: first } = await desk.arrive(told);
    const { phrases } = signingCs;
    const answers = [
      [await approve(another, first, {}), phrases.fault_code_none],
      [await approve(another, first, { code: "12345678" }), phrases.fault_code_none],
      [await approve(another, first, answer(first, { signature: true })), phrases.fault_passkey_wrong_alone],
    ] as const;
    for (const [{ status, body }, fault] of answers) {
      expect(status).to.equal(422);
      expect(body)
        .to.contain(`<a href="#passkey">${fault}</a>`)
        .and.contain(phrases.passkey_order_elsewhere)
        .and.contain(phrases.refuse_payment)
        .and.not.contain(phrases.bound_code_hint)
        .and.not.contain('name="code"');
    }
  });

  it("is named as the only way left when its PSU was sent all codes of an hour, whatever was posted", async () => {
    const psus = "INSERT INTO signing_standing (psu_id, codes, codes_since) VALUES ('psu-jana', 30, $1)";
    await auth.database.run({ name: "test-codes", text: psus, values: [auth.clock.now()] });
    const { browser, page } = await desk.arrive(await desk.request());
    const { phrases } = signingCs;
    const answers = [
      [page, phrases.fault_code_none],
      [await approve(browser, page, {}), phrases.fault_code_none],
      [await approve(browser, page, { code: "12345678" }), phrases.fault_code_none],
      [await approve(browser, page, answer(page, { signature: true })), phrases.fault_passkey_wrong_alone],
    ] as const;
    for (const [{ body }, fault] of answers)
      expect(body)
        .to.contain(`<a href="#passkey">${fault}</a>`)
        .and.not.contain(phrases.new_code)
        .and.not.contain('name="code"');
  });

  it("does not hide that the code has expired meanwhile: another one is offered", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    auth.clock.advance(4 * MINUTE);
    const { phrases } = signingCs;
    const inTime = await approve(browser, page, {});
    expect(inTime.body).to.contain(phrases.fault_bound_code_missing).and.contain(phrases.bound_code_hint);
    auth.clock.advance(MINUTE);
    for (const [fields, fault] of [
      [{}, phrases.fault_bound_code_none],
      [answer(inTime, { signature: true }), phrases.fault_passkey_wrong_alone],
    ] as const)
      expect((await approve(browser, inTime, fields)).body)
        .to.contain(fault)
        .and.contain(phrases.new_code)
        .and.not.contain(phrases.bound_code_hint);
  });

  it("is not shown when the sign-in is too old and no code is left: the PSU signs in again", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    for (let asked = 1; asked < 5; asked += 1) await browser.post(page, "code");
    auth.clock.advance(4 * MINUTE);
    // The session lives on with each request.
    await browser.get(pathOf(told));
    auth.clock.advance(MINUTE);
    for (const fields of [{}, { code: "12345678" }]) {
      const late = await approve(browser, page, fields);
      expect([late.status, late.headers.location]).to.deep.equal([303, pathOf(told)]);
    }
    expect(statusOf(await browser.get(pathOf(told)))).to.equal(cs.phrases.sign_in_ended);
  });

  it("is named as the only way left when the newest code of the order went to another browser", async () => {
    const told = await desk.request();
    const another = await desk.arrive(told);
    const { browser, page } = await desk.arrive(told);
    for (let asked = 2; asked < 5; asked += 1) await browser.post(page, "code");
    const asked = await another.browser.post(another.page, "code");
    expect(asked.status).to.equal(422);
    expect(asked.body)
      .to.contain(`<a href="#passkey">${signingCs.phrases.fault_code_none}</a>`)
      .and.not.contain(signingCs.phrases.bound_code_hint)
      .and.not.contain(signingCs.phrases.fault_codes_used_up);
    const first = await browser.post(page, "code");
    expect(first.body).to.contain(`<a href="#code">${signingCs.phrases.fault_codes_used_up}</a>`);
  });

  it("is not offered after five wrong answers to whatever orders: the page says until when", async () => {
    const tried = [await desk.request(), await desk.request()] as const;
    const { browser, page } = await desk.arrive(tried[0]);
    for (let attempt = 0; attempt < 4; attempt += 1)
      await approve(browser, page, answer(page, { signature: true }));
    const other = await browser.get(pathOf(tried[1]));
    await approve(browser, other, answer(other, { signature: true }));
    expect((await approve(browser, other, answer(other))).status, "a right one").to.equal(429);
    const unseen = await browser.get(pathOf(await desk.request()));
    expect([unseen.status, unseen.headers["retry-after"]]).to.deep.equal([429, "900"]);
    expect(unseen.body)
      .to.contain(`<h1>${signingCs.messages.signing_held_off.title}</h1>`)
      .and.contain(signingCs.phrases.refuse_payment)
      .and.not.contain("data-passkeys");
  });

  it("is said to be wrong, and counts as a try, when its counter has gone back (Web Authentication 6.1.1)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const refused = await approve(browser, page, answer(page, { counter: 0 }));
    expect([refused.status, refused.body.includes('href="#passkey"')]).to.deep.equal([422, true]);
    expect(refused.body).to.contain(signingCs.phrases.fault_passkey_wrong);
    const text = "SELECT tries FROM signing_request WHERE id = $1";
    expect(await auth.database.run({ name: "tries", text, values: [told.id] })).to.deep.equal([{ tries: 1 }]);
    expect((await approve(browser, refused, answer(refused))).status).to.equal(303);
    expect(await stateOf(told)).to.equal("approved");
  });

  describe("that its PSU removes while it approves", () => {
    /** A thief's page of an order, with its answer, and the PSU's page before the removal. */
    async function steal() {
      const text = "DELETE FROM passkey WHERE psu_id = 'psu-petr'";
      await auth.database.run({ name: "test-forget-passkeys", text, values: [] });
      const { browser: own, authenticator: lost } = await enrolPasskey(auth, "petr");
      auth.clock.advance(DAY);
      const told = await desk.request({ body: { psu: "psu-petr" } });
      const thief = openBrowser(auth);
      const first = await thief.get(pathOf(told));
      const page = await thief.follow(await thief.post(first, "sign-in", answerPage(first, lost)));
      const list = await own.follow(await signIn(auth, own, await own.get("/authenticator"), "petr"));
      const question = await askToRemove(own, list);
      const remove = () => own.post(question, "passkey-remove");
      const approving = { seal: sealOf(page), ...answerPage(page, lost) };
      return { told, thief, remove, lost, approve: () => approve(thief, page, approving) };
    }
    /** Waits until a decision waits for the row that is held. */
    async function untilDecided(): Promise<void> {
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%FROM signing_request WHERE id = $1 FOR UPDATE'`;
      const waits = { name: "test-waits", text, values: [] };
      await eventually(async () => (await auth.database.run(waits)).length > 0);
    }
    /** Holds an order's row until `work` is done. */
    const holding = <T>({ id }: ToldSigning, work: () => Promise<T>) =>
      auth.database.transaction(async (queries) => {
        const text = "SELECT FROM signing_request WHERE id = $1 FOR UPDATE";
        await queries.run({ name: "test-hold-order", text, values: [id] });
        return { done: await work() };
      });

    it("approves nothing once the PSU was told so, even if it has answered before (RTS Article 27)", async () => {
      const { told, thief, remove, lost, approve: post } = await steal();
      const another = await desk.request({ body: { psu: "psu-petr" } });
      const inFront = await thief.get(pathOf(another));
      const { done } = await holding(another, async () => {
        const trying = approve(thief, inFront, { code: "12345678" });
        await untilDecided();
        const approving = post();
        await untilUsed(lost);
        expect((await remove()).status).to.equal(303);
        return { trying, approving };
      });
      await done.trying;
      const { status, headers } = await done.approving;
      expect([status, headers.location]).to.deep.equal([303, pathOf(told)]);
      expect(await stateOf(told)).to.equal("waiting");
    });

    it("has the PSU wait for an approval that is being written", async () => {
      const { told, remove, approve: post } = await steal();
      const { done } = await holding(told, async () => {
        const approving = post();
        await untilDecided();
        const removing = remove();
        const early = await Promise.race([removing.then(() => "told"), setTimeout(300, "waits")]);
        return { approving, removing, early };
      });
      expect(done.early).to.equal("waits");
      expect([(await done.approving).status, (await done.removing).status]).to.deep.equal([303, 303]);
      expect(await stateOf(told)).to.equal("approved");
    });
  });

  it("approves once, of fifty posts of one answer at two processes (UI-16)", async () => {
    const told = await desk.request();
    const { browser, page } = await desk.arrive(told);
    const [, path = "", token = ""] =
      /action="([^"]*\/approve)"[\s\S]*?name="token" value="([^"]*)"/.exec(page.body) ?? [];
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
    const body = new URLSearchParams({ token, ...answer(page) }).toString();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? auth : second).browse({ method: "POST", path, body, headers: { ...FORM_BODY, cookie } }),
      ),
    );
    const text = "SELECT action FROM audit_entry WHERE subject = $1 AND action = 'signing.approved'";
    const rows = await auth.database.run({ name: "approved", text, values: [told.id] });
    expect([rows.length, await stateOf(told)]).to.deep.equal([1, "approved"]);
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([303]));
  });
});
