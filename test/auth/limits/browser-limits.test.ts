import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { byReference, push, registerWithCertificate } from "../profiles/fapi2-application.ts";
import { authorizePath, openBrowser, type PsuBrowser, signInNow } from "../psu-browser.ts";
import { ISSUER, PSUS, type RunningAuth } from "../running-auth.ts";
import { FORM_BODY, register, type TestApplication } from "../test-application.ts";
import { expectFlood, type LimitedAuth, oneTooMany, readRetryAfter, runLimited } from "./limited-auth.ts";

const LIMITS = {
  AUTHORIZATIONS_PER_MINUTE: "9",
  ADDRESS_REQUESTS_PER_MINUTE: "6",
  // The tests are the proxy, which tells the addresses of its browsers.
  BROWSER_PROXIES: "127.0.0.1,::1",
};

describe("Limits of browsers, over two processes", function browserLimits() {
  this.timeout(120_000);
  let limited: LimitedAuth;
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    limited = await runLimited(LIMITS);
    auth = limited.auth;
    application = await register(auth);
  });
  after(() => limited.stop());
  beforeEach(() => limited.forget());

  const visit = (at: RunningAuth, path: string, address: string, headers = {}) =>
    at.browse({ path, headers: { "x-forwarded-for": address, ...headers } });
  const begin = (at: RunningAuth, address: string, which = application) =>
    visit(at, authorizePath(which), address);
  const manyAddresses = (index: number) => `198.51.100.${index}`;
  const storedRows = async (kind = "%") => {
    const text = "SELECT count(*)::int4 AS rows FROM ephemeral_record WHERE kind LIKE $1";
    const [row] = await auth.database.run<{ rows: number }>({ name: "rows", text, values: [kind] });
    return row?.rows ?? 0;
  };
  const expectPage = (answer: RawAnswer): number => {
    expect(answer.status, answer.body).to.equal(429);
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
    expect(answer.headers).not.to.have.property("location");
    return readRetryAfter(answer);
  };
  const postSignIn = (at: RunningAuth, address: string) =>
    at.browse({
      method: "POST",
      path: "/oauth/interaction/any/sign-in",
      headers: { ...FORM_BODY, cookie: "a=b", "x-forwarded-for": address },
      body: "username=jana&password=wrong&one_time_code=000000",
    });

  it("let one address begin only so many authorizations, and spare another one", async () => {
    const call = (at: RunningAuth) => begin(at, "192.0.2.1");
    const refused = await expectFlood(limited, { calls: 40, call, status: 303, perMinute: 6 });
    for (const answer of refused) expectPage(answer);
    expect((await begin(limited.second, "192.0.2.2")).status).to.equal(303);
  });

  it("keep a flood from many addresses from storing more than one application may begin", async () => {
    const before = await storedRows();
    const call = (at: RunningAuth, index: number) => begin(at, manyAddresses(index));
    const refused = await expectFlood(limited, { calls: 200, call, status: 303, perMinute: 9 });
    expect(await storedRows()).to.be.at.most(before + 200 - refused.length);
    for (const answer of refused) expectPage(answer);
  });

  it("count a request with an empty request_uri for its application (RFC 6749 3.1)", async () => {
    const path = `${authorizePath(application)}&request_uri=`;
    const call = (at: RunningAuth, index: number) => visit(at, path, manyAddresses(index));
    for (const answer of await expectFlood(limited, { calls: 80, call, status: 303, perMinute: 9 }))
      expectPage(answer);
  });

  it("spare other applications, and requests that the flooded one has pushed (RL-02)", async () => {
    const pushing = await registerWithCertificate(auth);
    const [other, pushed] = [await register(auth), await push(auth, pushing)];
    for (const flooded of [application.client_id, pushing.client_id])
      await limited.often(30, (at, index) =>
        begin(at, manyAddresses(index), { ...application, client_id: flooded }),
      );
    expectPage(await oneTooMany(() => begin(auth, "203.0.113.1")));
    expect((await begin(auth, "203.0.113.1", other)).status).to.equal(303);
    const path = authorizePath(pushing, byReference(pushed));
    expect((await visit(limited.second, path, "203.0.113.1")).status).to.equal(303);
  });

  it("let a pushed request be loaded sixty times a minute, from however many addresses (RL-01)", async () => {
    const pushing = await registerWithCertificate(auth);
    const path = authorizePath(pushing, byReference(await push(auth, pushing)));
    const call = (at: RunningAuth, index: number) => visit(at, path, manyAddresses(index));
    for (const answer of await expectFlood(limited, { calls: 80, call, status: 303, perMinute: 60 }))
      expectPage(answer);
  });

  it("are not evaded by references that only begin with a pushed one (RL-01)", async () => {
    const pushing = await registerWithCertificate(auth);
    const reference = await push(auth, pushing);
    const [before, started] = [
      await storedRows("Interaction"),
      `${reference}urn:ietf:params:oauth:request_uri:`,
    ];
    const call = (at: RunningAuth, index: number) =>
      visit(at, authorizePath(pushing, byReference(`${started}${index}`)), manyAddresses(index));
    const answers = await limited.often(80, call);
    expect([...new Set(answers.map(({ status }) => status))]).to.deep.equal([400]);
    expect(await storedRows("Interaction")).to.equal(before);
  });

  it("charge an application nothing for calls that are refused because of their address", async () => {
    await limited.often(30, (at) => begin(at, "192.0.2.1"));
    expect((await begin(auth, "192.0.2.2")).status).to.equal(303);
  });

  it("count the last address that the proxy writes, and no other (RL-05)", async () => {
    await limited.often(20, (at, index) => begin(at, `${manyAddresses(index)}, 192.0.2.1`));
    expectPage(await oneTooMany(() => begin(auth, "203.0.113.9, 192.0.2.1")));
  });

  it("count a browser without a valid address as the proxy itself (RL-05)", async () => {
    await limited.often(20, (at, index) =>
      index % 2 === 0 ? at.browse({ path: authorizePath(application) }) : begin(at, `unknown-${index}`),
    );
    expectPage(await oneTooMany(() => auth.browse({ path: authorizePath(application) })));
    expectPage(await oneTooMany(() => begin(auth, "another")));
    expect((await begin(auth, "192.0.2.1")).status).to.equal(303);
  });

  it("count IPv6 addresses with the same first 64 bits as one", async () => {
    await limited.often(20, (at, index) => begin(at, `2001:db8:0:1::${index + 1}`));
    expectPage(await oneTooMany(() => begin(auth, "2001:db8::1:ffff:1:2:3")));
    expect((await begin(auth, "2001:db8:0:2::1")).status).to.equal(303);
  });

  it("let one address try only so many sign-ins, whoever the PSU, and spare another one (RL-02)", async () => {
    const call = (at: RunningAuth) => postSignIn(at, "192.0.2.1");
    const refused = await expectFlood(limited, { calls: 40, call, status: 404, perMinute: 6 });
    for (const answer of refused) expectPage(answer);
    expect((await postSignIn(limited.second, "192.0.2.2")).status).to.equal(404);
    expect((await begin(auth, "192.0.2.1")).status).to.equal(303);
  });

  it("let one address begin only so many sign-ins at a PSU's own pages, and reload those begun", async () => {
    const [before, cookie] = [await storedRows(), await beginAt("/consents", "192.0.2.1")];
    const call = (at: RunningAuth) => visit(at, "/consents", "192.0.2.1");
    const answers = await limited.often(40, call);
    expect(await storedRows()).to.be.at.most(before + 10);
    expectPage(await oneTooMany(() => visit(auth, "/authenticator", "192.0.2.1")));
    expect(answers.filter(({ status }) => status === 429)).to.have.length.above(30);
    expect((await visit(limited.second, "/consents", "192.0.2.1", { cookie })).status).to.equal(200);
    expect((await visit(limited.second, "/consents", "192.0.2.2")).status).to.equal(200);
  });

  it("let one address begin only so many sign-ins at an authorization's page, and reload those begun", async () => {
    const [before, browser] = [await storedRows(), openBrowser(auth)];
    const started = await browser.get(authorizePath(application));
    const path = new URL(String(started.headers.location), ISSUER).pathname;
    const cookie = [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join("; ");
    const call = (at: RunningAuth) => visit(at, path, "192.0.2.1", { cookie });
    const answers = await limited.often(40, call);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(12);
    for (const answer of answers) if (answer.status !== 200) expectPage(answer);
    // With the interaction.
    expect(await storedRows()).to.be.at.most(before + 13);
    expect((await visit(auth, path, "192.0.2.2", { cookie })).status).to.equal(200);
    const own = { cookie: `${cookie}; ${signInCookieOf(answers)}` };
    expect((await visit(auth, path, "192.0.2.1", own)).status).to.equal(200);
  });

  /** That with which the first page can be loaded again. */
  function signInCookieOf(answers: readonly RawAnswer[]): string {
    const lines = answers.flatMap(({ headers }) => headers["set-cookie"] ?? []);
    const pairs = ["__Secure-sign-in", "__Host-psu-browser"].map(
      (name) => lines.find((line) => line.startsWith(`${name}=`))?.split(";")[0],
    );
    return pairs.join("; ");
  }

  /** The cookies of a sign-in that was begun. */
  async function beginAt(path: string, address: string): Promise<string> {
    const { status, headers } = await visit(auth, path, address);
    expect(status).to.equal(200);
    return [headers["set-cookie"] ?? []]
      .flat()
      .map((line) => line.split(";")[0])
      .join("; ");
  }

  it("let one address load only so many pages at each process, and spare another one", async () => {
    const cookie = await beginAt("/consents", "192.0.2.1");
    const load = (at: RunningAuth, address = "192.0.2.1") => visit(at, "/consents", address, { cookie });
    for (let page = 1; page < 60; page += 1) expect((await load(auth)).status).to.equal(200);
    for (const path of ["/consents", "/authenticator", "/oauth/interaction/any", "/oauth/authorize/any"])
      expect(expectPage(await visit(auth, path, "192.0.2.1", { cookie })), path).to.equal(1);
    expect((await load(limited.second)).status).to.equal(200);
    expect((await load(auth, "192.0.2.2")).status).to.equal(200);
  });

  it("let every PSU who may begin behind one address finish, even loading each page three times", async () => {
    const cookie = await beginAt("/consents", "127.0.0.1");
    // The pages of the four others who may begin an authorization in this minute.
    for (let page = 1; page < 40; page += 1) await visit(auth, "/consents", "127.0.0.1", { cookie });
    for (const { username } of PSUS) {
      const browser = openBrowser(auth);
      const page = await loadThrice(browser, await browser.get(authorizePath(application)));
      const consentPage = await loadThrice(browser, await signInNow(auth, browser, page, username));
      const back = await browser.follow(await browser.post(consentPage, "consent", { choice: "all" }));
      expect(String(back.headers.location), username).to.match(/[?&]code=/);
    }
  });

  async function loadThrice(browser: PsuBrowser, leading: RawAnswer): Promise<RawAnswer> {
    const { body } = await browser.follow(leading);
    const place = /action="(\/oauth\/interaction\/[^/"]+)\//.exec(body)?.[1] ?? "";
    await browser.get(place);
    return browser.get(place);
  }

  it("are explained in the language of the PSU", async () => {
    await limited.often(20, (at) => begin(at, "192.0.2.1"));
    const page = async (language: string) =>
      (await visit(auth, authorizePath(application), "192.0.2.1", { "accept-language": language })).body;
    expect(await page("cs")).to.include("Příliš mnoho požadavků");
    expect(await page("en")).to.include("Too many requests");
  });
});
