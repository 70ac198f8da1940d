import { readFileSync } from "node:fs";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { testCertificates } from "../../support/test-certificates.ts";
import { type DeliveryStandIn, startDeliveryStandIn, take } from "../delivery/delivery-stand-in.ts";
import { addPasskey, askToRemove } from "../passkeys/enrol-passkey.ts";
import { createAuthenticator, readAsking } from "../passkeys/software-authenticator.ts";
import { openBrowser, signIn } from "../psu-browser.ts";
import { ISSUER, NEWCOMER, type RunningAuth, runAuth } from "../running-auth.ts";
import { codeOf } from "../sign-in/enrolment-code.ts";

const HOUR = 3_600_000;
const refuse = (status: number): DeliveryStandIn["react"] => {
  return (response) => response.writeHead(status).end();
};

describe("A PSU whose sign-in was changed", function notices() {
  this.timeout(120_000);
  let service: DeliveryStandIn;
  let auth: RunningAuth;
  let second: RunningAuth;
  let earlier = 0;
  before(async () => {
    const { server, privateCaFile } = await testCertificates();
    service = await startDeliveryStandIn(server.resourceBank, readFileSync(privateCaFile, "utf8"));
    auth = await runAuth({ DELIVERY_URL: service.url });
    second = await runAuth({ DELIVERY_URL: service.url }, auth);
  });
  after(async () => {
    await second.stop();
    await auth.stop();
    await service.close();
  });
  beforeEach(async () => {
    auth.clock.advance(2 * HOUR);
    service.react = take;
    await eventually(async () => (await waiting()) === 0);
    earlier = service.posted.length;
  });

  const rows = <Row>(text: string) => auth.database.run<Row>({ name: "", text, values: [] });
  const waiting = async () => (await rows("SELECT FROM psu_notice WHERE next_try_at IS NOT NULL")).length;
  const counted = async (purpose: string, outcome: string) => {
    const asked = [auth, second].map(({ ports }) => fetch(`http://127.0.0.1:${ports.operator}/metrics`));
    const texts = await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
    const series = new RegExp(
      `^deliveries_total\\{purpose="${purpose}",outcome="${outcome}".*\\} (\\d+)$`,
      "m",
    );
    return texts.reduce((sum, text) => sum + Number(series.exec(text)?.[1]), 0);
  };
  const endings = async () =>
    (
      await rows<{ action: string }>(
        "SELECT action FROM audit_entry WHERE action LIKE 'psu.%notified' ORDER BY id",
      )
    ).map(({ action }) => action);
  const posted = async (count = 1) => {
    await eventually(() => service.posted.length >= earlier + count);
    return service.posted.slice(earlier).map(({ body }) => body);
  };

  async function arrive(language = "en", username = "jana") {
    const browser = openBrowser(auth);
    const first = await browser.get(`/authenticator?lang=${language}`);
    return { browser, page: await browser.follow(await signIn(auth, browser, first, username)) };
  }
  async function add(passkey_name = "phone", language = "en") {
    const { browser, page } = await arrive(language);
    const added = await addPasskey(browser, page, createAuthenticator(ISSUER), { passkey_name });
    expect(added.status).to.equal(303);
    return { browser, page: await browser.follow(added) };
  }

  it("gets one text when a passkey is added, with the time, its name and what to do", async () => {
    await add("telefon", "cs");
    const [body = {}] = await posted();
    expect(Object.keys(body).toSorted()).to.deep.equal(
      ["expiresAt", "id", "language", "psu", "purpose", "requestId", "text"].toSorted(),
    );
    expect(body).to.include({ psu: "psu-jana", language: "cs", purpose: "notice" });
    const time = new Intl.DateTimeFormat("cs-CZ", { timeStyle: "short", timeZone: "Europe/Prague" });
    expect(body.text)
      .to.include("přidán přístupový klíč")
      .and.include(time.format(auth.clock.now()))
      .and.include("ozvěte se nám")
      .and.match(/„telefon“\.$/);
    const called = auth.logLines.filter(({ requestId }) => requestId === body.requestId);
    expect(called.map(({ msg }) => msg)).to.include("call");
    expect(new Date(String(body.expiresAt)).getTime()).to.equal(auth.clock.now().getTime() + 72 * HOUR);
    expect(service.posted.at(-1)?.headers).to.include({ "idempotency-key": body.id });
    await eventually(async () => (await waiting()) === 0);
    expect((await endings()).at(-1)).to.equal("psu.notified");
  });

  it("gets one text when a passkey is removed", async () => {
    const { browser, page } = await add("work");
    await posted();
    const question = await askToRemove(browser, page, "work");
    expect((await browser.post(question, "passkey-remove")).status).to.equal(303);
    expect((await posted(2))[1]?.text)
      .to.include("a passkey was removed")
      .and.match(/“work”\.$/);
  });

  it("gets one text when the first authenticator app is set up, and when another one is", async () => {
    const { browser, page } = await arrive("en", "petr");
    const enrolment = await browser.post(page, "replace");
    const code = codeOf(enrolment, auth.clock.now());
    await browser.post(enrolment, "confirm", { one_time_code: "000000" });
    await browser.post(enrolment, "confirm", { one_time_code: code });
    const [body = {}] = await posted();
    expect(body).to.include({ psu: "psu-petr", language: "en", purpose: "notice" });
    expect(body.text).to.include("an authenticator app was set up");
    const newcomer = openBrowser(auth);
    const { username, password, activationCode } = NEWCOMER;
    const typed = { username, password, one_time_code: activationCode };
    const shown = await newcomer.follow(
      await newcomer.post(await newcomer.get("/authenticator?lang=cs"), "sign-in", typed),
    );
    await newcomer.post(shown, "sign-in", { one_time_code: codeOf(shown, auth.clock.now()) });
    expect((await posted(2))[1]).to.include({ psu: "psu-hana", language: "cs", purpose: "notice" });
  });

  it("can make thirty changes an hour, after which the page says when to come again", async () => {
    const { browser, page } = await arrive();
    const text = `INSERT INTO psu_notice (id, psu_id, kind, language, text, request_id, occurred_at)
      SELECT gen_random_uuid(), 'psu-jana', 'passkey_added', 'en', '', '', $1 FROM generate_series(1, 30)`;
    await auth.database.run({ name: "thirty", text, values: [auth.clock.now()] });
    const told = ({ body }: RawAnswer) => /<li><a href="#(\w+)">([^<]*)</.exec(body)?.slice(1);
    const tooMany = "You have made too many changes in the last hour. Try again in an hour.";
    const added = await addPasskey(browser, page, createAuthenticator(ISSUER));
    expect(told(added)).to.deep.equal(["passkeys", tooMany]);
    const enrolment = await browser.post(page, "replace");
    const confirm = (one_time_code: string) => browser.post(enrolment, "confirm", { one_time_code });
    expect(told(await confirm("000000"))?.[1]).to.include("This is not the code");
    const refused = await confirm(codeOf(enrolment, auth.clock.now()));
    expect([refused.status, told(refused)]).to.deep.equal([422, ["one_time_code", tooMany]]);
    expect(await waiting()).to.equal(0);
  });

  it("gets one text for fifty posts of one answer, from two processes that both deliver", async () => {
    const { browser, page } = await arrive();
    const attestation = createAuthenticator(ISSUER).create(readAsking(page.body, "create"));
    const post = () => browser.post(page, "passkey-add", { attestation, passkey_name: "once" });
    const answers = await Promise.all(Array.from({ length: 50 }, post));
    expect(answers.filter(({ status }) => status === 303)).to.have.length(1);
    await eventually(async () => (await waiting()) === 0);
    expect(await posted()).to.have.length(1);
  });

  it("gets the text when the service is back, with the same id and words, and has the passkey meanwhile", async () => {
    service.react = refuse(503);
    const [taken, failed] = [await counted("notice", "taken"), await counted("notice", "failed")];
    const { page } = await add("patient");
    expect(page.body).to.include("patient");
    const [lost] = await posted();
    expect(await waiting()).to.equal(1);
    service.react = take;
    auth.clock.advance(16_000);
    const [, sent] = await posted(2);
    expect(sent).to.deep.equal(lost);
    await eventually(async () => (await waiting()) === 0);
    const ofTheJob = [...auth.logLines, ...second.logLines].filter(({ msg }) =>
      `${msg}`.startsWith("notices"),
    );
    expect(ofTheJob, "whoever delivers has said why").to.deep.equal([]);
    auth.clock.advance(HOUR);
    expect(await posted(2)).to.have.length(2);
    expect(await counted("notice", "failed")).to.equal(failed + 1);
    expect(await counted("notice", "taken")).to.equal(taken + 1);
  });

  it("gets none where the service refuses it; after three days both logs say so, without its words", async () => {
    service.react = refuse(422);
    const { page } = await add("Neverlogged");
    expect(page.body).to.include("Neverlogged");
    const [{ id } = { id: "" }] = await posted();
    auth.clock.advance(72 * HOUR);
    await eventually(async () => (await endings()).at(-1) === "psu.not_notified");
    const lines = () => [...auth.logLines, ...second.logLines];
    const given = lines().filter(({ msg }) => msg === "a PSU could not be notified of a change");
    expect(given.map(({ delivery }) => delivery)).to.deep.equal([id]);
    expect(await counted("notice", "given_up")).to.equal(1);
    const late = service.posted.slice(earlier).map(({ body }) => body);
    expect(late, "it is not sent when its time is over").to.have.length(1);
    expect(JSON.stringify(lines())).to.not.include("Neverlogged");
    expect((await arrive()).page.body).to.include("Neverlogged");
  });
});

describe("The sandbox's inbox", function inbox() {
  this.timeout(120_000);
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  it("shows the name of an added passkey without links and quotes (UI-09)", async () => {
    const browser = openBrowser(auth);
    const first = await browser.get("/authenticator?lang=en");
    const page = await browser.follow(await signIn(auth, browser, first));
    const passkey_name = "<b>”. Call us: https://evil.example/x “";
    await addPasskey(browser, page, createAuthenticator(ISSUER), { passkey_name });
    let shown = "";
    await eventually(async () => {
      shown = (await browser.get("/sandbox/inbox/psu-jana?lang=en")).body;
      return shown.includes("a passkey was added");
    });
    expect(shown).to.match(/The passkey is called “b &#39; Call us https evil example x &#39;”\.</);
    expect(shown.match(/a passkey was added/g)).to.have.length(1);
  });
});
