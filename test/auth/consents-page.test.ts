import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn, statusOf } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { FORM_BODY, JSON_BODY, register, type TestApplication } from "./test-application.ts";
import { codeFor, isActive, redeem, refresh, type Tokens, tokensFor } from "./use-tokens.ts";

const MINUTE = 60_000;
const STOP_LIST = "/operator/stop-list";

describe("The PSU's page of consents", function consentsPage() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let browser: PsuBrowser;

  before(async () => {
    const callers = { BANK_CALLERS: "resource=introspect,feed;operator=operator;auth=accounts" };
    auth = await runAuth(callers, undefined, { tunnelled: true });
  });
  beforeEach(() => {
    auth.clock.advance(61 * MINUTE);
    browser = openBrowser(auth);
  });
  after(() => auth.stop());

  /** Signs in at the page, in English. */
  async function open(username = "jana", to = browser): Promise<RawAnswer> {
    const first = await to.get("/consents?lang=en");
    await signIn(auth, to, first, username);
    return to.get("/consents");
  }

  async function idOf(application: TestApplication): Promise<string> {
    const text = "SELECT id FROM consent WHERE application_id = $1 ORDER BY version DESC LIMIT 1";
    const [row] = await auth.database.run<{ id: string }>({
      name: "id",
      text,
      values: [application.client_id],
    });
    return row?.id ?? "";
  }

  const entriesOf = (id: string) =>
    auth.database.run<{ actor_kind: string; actor: string; details: string }>({
      name: "entries",
      text: "SELECT actor_kind, actor, details FROM audit_entry WHERE action = 'consent.ended' AND subject = $1",
      values: [id],
    });

  async function withdraw(id: string, to = browser): Promise<RawAnswer> {
    const question = await to.get(`/consents?withdraw=${id}`);
    return to.follow(await to.post(question, "withdraw"));
  }

  it("asks the PSU to sign in first, and shows nothing before that", async () => {
    const application = await register(auth);
    await tokensFor(auth, application);
    const id = await idOf(application);
    for (const path of ["/consents", `/consents?consent=${id}`, `/consents?withdraw=${id}`]) {
      const page = await browser.get(path);
      expect(page.body).to.contain('action="/consents/sign-in"').and.to.not.contain("account-1");
    }
  });

  it("says that a sign-in has ended when a form comes too late, and only then (RTS Article 4(3)(d))", async () => {
    const ended = "Your earlier sign-in is no longer valid here.";
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    expect((await browser.get("/consents?lang=en")).body).to.not.contain(ended);
    await open();
    const question = await browser.get(`/consents?withdraw=${await idOf(application)}`);
    auth.clock.advance(6 * MINUTE);
    const late = await browser.follow(await browser.post(question, "withdraw"));
    expect(late.body).to.contain('action="/consents/sign-in"').and.to.contain(ended);
    expect(await isActive(auth, tokens.access_token)).to.equal(true);
  });

  it("names company, application, services, accounts, start and end of each consent", async () => {
    const application = await register(auth, { client_name: "Money overview" });
    await tokensFor(auth, application, { fields: { choice: "some", account: "account-2" } });
    const page = await open();
    const id = await idOf(application);
    const card = page.body.split("<article").find((part) => part.includes(id)) ?? "";
    for (const told of ["“<bdi>Money overview</bdi>”", "See account information", "Account", "Not used yet"])
      expect(card).to.contain(told);
    expect(card).to.not.contain("Send payment orders");
    expect(page.body).to.contain("Enter your sign-in details only when the address begins with https://");
    const detail = (await browser.get(`/consents?consent=${id}`)).body;
    for (const told of ["PSDCZ-", "Licensed by", "19-2000145399/0800", "You gave consent."])
      expect(detail).to.contain(told);
  });

  it("says when a consent was last used, to the minute, without a database write at each use", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application, { username: "petr" });
    for (let uses = 0; uses < 20; uses += 1) expect(await isActive(auth, tokens.access_token)).to.equal(true);
    await browser.get("/consents");
    const id = await idOf(application);
    const text = "SELECT count(*) AS uses FROM consent_use WHERE consent_id = $1";
    const uses = async () =>
      (await auth.database.run<{ uses: bigint }>({ name: "uses", text, values: [id] }))[0]?.uses;
    await eventually(async () => (await uses()) !== 0n);
    expect(auth.statements.filter((name) => name === "consent-uses").length).to.be.below(5);
    await open("petr");
    const detail = await browser.get(`/consents?consent=${id}`);
    expect(detail.body).to.contain("Accurate to the minute.").and.to.not.contain("Not used yet");
    const operators = await auth.callAsBank({ path: `/operator/consents/${id}` }, "operator");
    expect(JSON.parse(operators.body).lastUsedAt).to.match(/^20\d\d-/);
  });

  it("withdraws a consent after one question, and no refresh, replay or restart revives it", async () => {
    const application = await register(auth);
    const code = await codeFor(auth, application);
    const tokens: Tokens = JSON.parse((await redeem(auth, application, code)).body);
    const id = await idOf(application);
    await open();
    const done = await withdraw(id);
    expect(done.body).to.contain("You have withdrawn access").and.to.contain("Withdrawn by you.");
    expect(await isActive(auth, tokens.access_token)).to.equal(false);
    const second = await runAuth({}, auth);
    try {
      for (const server of [auth, second]) {
        expect((await refresh(server, application, tokens.refresh_token)).status).to.equal(400);
        expect((await redeem(server, application, code)).status).to.equal(400);
      }
      expect(await isActive(second, tokens.access_token)).to.equal(false);
    } finally {
      await second.stop();
    }
    const [entry, another] = await entriesOf(id);
    expect(another).to.equal(undefined);
    expect(entry).to.include({ actor_kind: "psu", actor: "psu-jana" });
    expect(JSON.parse(entry?.details ?? "{}")).to.include({ by: "psu", reason: "withdrawn" });
  });

  it("says once that a withdrawn consent has ended, only to the session that withdrew it, in both languages", async () => {
    for (const [language, told] of [
      ["en", /^The consent that you gave .+ has ended\. From now on we refuse everything/],
      ["cs", /^Souhlas, který jste dali společnosti .+, skončil\. Vše, o\u00a0co/],
    ] as const) {
      const application = await register(auth);
      await tokensFor(auth, application);
      const id = await idOf(application);
      const path = `/consents?consent=${id}`;
      await open();
      expect(statusOf(await browser.get(`${path}&lang=${language}`))).to.equal(undefined);
      const leading = await browser.post(await browser.get(`/consents?withdraw=${id}`), "withdraw");
      const note = browser.cookies.get("__Secure-done;/consents")?.value ?? "";
      expect([leading.headers["set-cookie"]].flat().join()).to.match(
        /; Max-Age=60; Path=\/consents; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(statusOf(await browser.follow(leading))).to.match(told);
      expect(statusOf(await browser.get(path))).to.equal(undefined);
      const other = openBrowser(auth);
      await open("jana", other);
      const cookie = [...other.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
      for (const carried of [note, note.replace(id, id.toLowerCase()), `${note}x`, "consent_withdrawn"]) {
        const headers = { cookie: `${cookie}; __Secure-done=${carried}` };
        expect(statusOf(await auth.browse({ path, headers }))).to.equal(undefined);
      }
    }
  });

  it("says that access goes on when the consent was replaced while its question was open", async () => {
    const application = await register(auth);
    await tokensFor(auth, application);
    const id = await idOf(application);
    await open();
    const question = await browser.get(`/consents?withdraw=${id}`);
    const newer = await tokensFor(auth, application);
    const after = await browser.follow(await browser.post(question, "withdraw"));
    expect(after.body).to.contain("A newer consent for the same application is still in force.");
    expect(statusOf(after)).to.equal(undefined);
    expect(await isActive(auth, newer.access_token)).to.equal(true);
  });

  it("links to the page about how the PSU signs in, which links back", async () => {
    const page = await open();
    expect(page.body).to.contain('<a href="/authenticator">How you sign in</a>');
    expect((await browser.get("/authenticator")).body).to.contain('<a href="/consents">');
  });

  it("names the application that loses access, and links to what the company keeps through another one", async () => {
    const [one, other] = [
      await register(auth, { client_name: "Budget" }),
      await register(auth, { client_name: "Invoices" }),
    ];
    await tokensFor(auth, one, { username: "petr" });
    const kept = await tokensFor(auth, other, { username: "petr" });
    await tokensFor(auth, await register(auth, { client_name: "Of somebody else" }));
    const list = (await open("petr")).body;
    for (const [application, name] of [
      [one, "Budget"],
      [other, "Invoices"],
    ] as const)
      expect(list).to.match(
        new RegExp(`<h3 id="consent-${await idOf(application)}">.*“<bdi>${name}</bdi>”.*</h3>`),
      );
    const question = (await browser.get(`/consents?withdraw=${await idOf(one)}`)).body;
    const link = `<a href="/consents?consent=${await idOf(other)}"><span translate="no">“<bdi>Invoices</bdi>”</span></a>`;
    expect(question).to.match(/<h1>Withdraw access for .+ through “Budget”\?<\/h1>/);
    expect(question).to.contain("Through this application it will no longer").and.to.contain(link);
    const after = (await withdraw(await idOf(one))).body;
    expect(after).to.contain(link);
    for (const page of [list, question, after]) expect(page).to.not.contain("Of somebody else");
    expect(await isActive(auth, kept.access_token)).to.equal(true);
    const last = (await browser.get(`/consents?withdraw=${await idOf(other)}`)).body;
    expect(last).to.not.contain("Budget");
  });

  it("says what happens to payments when payment access is withdrawn", async () => {
    const application = await register(auth);
    await tokensFor(auth, application, { request: { scope: "pisp" } });
    await open();
    const question = (await browser.get(`/consents?withdraw=${await idOf(application)}`)).body;
    expect(question)
      .to.contain("Its payments that you have already approved will be carried out")
      .and.to.contain("those that still wait for your approval are cancelled");
  });

  it("ends a consent once for 50 parallel posts, and answers all of them alike", async () => {
    const application = await register(auth);
    await tokensFor(auth, application);
    const id = await idOf(application);
    await open();
    const question = await browser.get(`/consents?withdraw=${id}`);
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.post(question, "withdraw")));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`))).to.deep.equal(
      new Set([`303 /consents?consent=${id}`]),
    );
    expect(await entriesOf(id)).to.have.length(1);
    const text = "SELECT pos FROM feed_event WHERE kind = 'consent' AND key = $1";
    expect(await auth.database.run({ name: "told", text, values: [id] })).to.have.length(1);
  });

  it("finds only one consent after 50 parallel posts of one consent form", async () => {
    const application = await register(auth);
    const first = await browser.follow(await browser.get(authorizePath(application)));
    const page = await browser.follow(await signIn(auth, browser, first));
    await Promise.all(Array.from({ length: 50 }, () => browser.post(page, "consent", { choice: "all" })));
    const text = "SELECT id FROM consent WHERE application_id = $1";
    expect(await auth.database.run({ name: "given", text, values: [application.client_id] })).to.have.length(
      1,
    );
  });

  it("answers 404 for another PSU's consent and a made-up one, and ends none (UI-12)", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application, { username: "petr" });
    const own = await register(auth);
    await tokensFor(auth, own);
    const [id, ownId] = [await idOf(application), await idOf(own)];
    await open();
    const strangers = [id, "A".repeat(22), "../x", ""];
    for (const name of strangers) {
      const path = encodeURIComponent(name);
      for (const page of ["consent", "withdraw"]) {
        const answer = await browser.get(`/consents?${page}=${path}`);
        expect([answer.status, answer.body.includes("There is no such consent")]).to.deep.equal([404, true]);
        expect(answer.body).to.contain("Back to all consents").and.to.not.contain("Try again");
      }
      const question = await browser.get(`/consents?withdraw=${ownId}`);
      const answer = await browser.post(question, "withdraw", { consent: name });
      expect(answer.status, name).to.equal(404);
    }
    expect(await isActive(auth, tokens.access_token)).to.equal(true);
  });

  it("shows at a consent what else its PSU gave the application, not what another PSU gave it (UI-12)", async () => {
    const application = await register(auth);
    await tokensFor(auth, application, { username: "petr" });
    for (let times = 0; times < 2; times += 1) await tokensFor(auth, application);
    await open();
    const detail = await browser.get(`/consents?consent=${await idOf(application)}`);
    for (const told of ["You gave consent.", "You gave consent again, in place of the earlier one."])
      expect(detail.body.split(told), told).to.have.length(2);
  });

  it("withdraws nothing on a form of another session, of another site or without a session (UI-01)", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    const id = await idOf(application);
    await open();
    const question = await browser.get(`/consents?withdraw=${id}`);
    const other = openBrowser(auth);
    await open("jana", other);
    const foreign = await other.post(question, "withdraw");
    expect(foreign.status).to.equal(403);
    const lost = await openBrowser(auth).post(question, "withdraw");
    expect([lost.status, lost.headers.location]).to.deep.equal([303, "/consents"]);
    expect((await browser.post(question, "withdraw", { token: "made up" })).status).to.equal(403);
    const session = browser.cookies.get("__Host-psu-session")?.value ?? "";
    const token = /name="token" value="([^"]+)"/.exec(question.body)?.[1] ?? "";
    const elsewhere = await auth.browse({
      method: "POST",
      path: "/consents/withdraw",
      headers: {
        ...FORM_BODY,
        cookie: `__Host-psu-session=${session}`,
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site",
      },
      body: new URLSearchParams({ token, consent: id }).toString(),
    });
    expect(elsewhere.status).to.equal(403);
    expect(await isActive(auth, tokens.access_token)).to.equal(true);
  });

  it("shows the number of accounts and still withdraws while their names cannot be read", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    const id = await idOf(application);
    const { answer } = auth.accounts;
    auth.accounts.answer = { status: 503, body: "" };
    try {
      const page = await open();
      expect(page.status).to.equal(200);
      expect(page.body).to.contain("We cannot show the names").and.to.contain("Number of accounts: 2");
      expect((await withdraw(id)).body).to.contain("You have withdrawn access");
    } finally {
      auth.accounts.answer = answer;
    }
    expect(await isActive(auth, tokens.access_token)).to.equal(false);
  });

  it("says that a company on the stop list cannot use its access, until it is released", async () => {
    const remark = "We have blocked this company";
    await tokensFor(auth, await register(auth));
    const { organisationIdentifier } = auth.tpp("aisp-pisp");
    const order = {
      headers: JSON_BODY,
      body: JSON.stringify({ tpp: organisationIdentifier, reason: "fraud" }),
    };
    await auth.callAsBank({ method: "POST", path: STOP_LIST, ...order }, "operator");
    try {
      expect((await open()).body).to.contain(remark);
    } finally {
      await auth.callAsBank({ method: "POST", path: `${STOP_LIST}/release`, ...order }, "operator");
    }
    expect((await browser.get("/consents")).body).to.not.contain(remark);
  });

  it("distinguishes a replaced consent from one that no longer gives access", async () => {
    const application = await register(auth);
    await tokensFor(auth, application);
    const former = await idOf(application);
    const tokens = await tokensFor(auth, application, { request: { scope: "aisp pisp" } });
    await open();
    const replaced = await browser.follow(await browser.get(`/consents?withdraw=${former}`));
    expect(replaced.body)
      .to.contain("This access has ended")
      .and.to.contain("Replaced by a newer consent that you gave.")
      .and.to.contain("A newer consent for the same application is still in force.");
    expect(await isActive(auth, tokens.access_token)).to.equal(true);
  });

  it("says at the next consent which access the application has, what changes and which account it sees", async () => {
    const application = await register(auth);
    await tokensFor(auth, application, { fields: { choice: "some", account: "account-2" } });
    const page = await browser.follow(await browser.get(`${authorizePath(application)}&ui_locales=en`));
    const again = await browser.follow(await signIn(auth, browser, page));
    expect(again.body)
      .to.contain("This application already has access")
      .and.to.contain("The present consent ends at once")
      .and.to.not.contain("checked");
    expect(again.body.split("It already sees this account")).to.have.length(2);
  });

  it("signs the PSU out on a page without a language switch, which would lead to a sign-in", async () => {
    const page = await open();
    const gone = await browser.post(page, "sign-out");
    expect(gone.body).to.contain("You have signed out").and.to.not.contain("?lang=");
    expect((await browser.get("/consents")).body).to.contain('action="/consents/sign-in"');
  });
});
