import { expect } from "chai";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";
import { codeFor, introspect, redeem, refresh, type Tokens, tokensFor } from "./use-tokens.ts";

describe("A consent", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const contentOf = async (token: string) => JSON.parse((await introspect(auth, token)).body);

  async function expectEnded(application: TestApplication, tokens: Tokens, reason: string): Promise<void> {
    expect(await contentOf(tokens.access_token)).to.deep.equal({ active: false });
    expect((await refresh(auth, application, tokens.refresh_token)).status).to.be.oneOf([400, 401]);
    const text = "SELECT DISTINCT end_reason FROM consent WHERE application_id = $1 AND ended_at IS NOT NULL";
    const rows = await auth.database.run({ name: "reason", text, values: [application.client_id] });
    expect(rows).to.deep.equal([{ end_reason: reason }]);
    const left =
      "SELECT kind FROM token WHERE payload->>'clientId' = $1 AND grant_id NOT IN (SELECT id FROM consent WHERE ended_at IS NULL)";
    expect(
      await auth.database.run({ name: "left", text: left, values: [application.client_id] }),
    ).to.deep.equal([]);
  }

  it("covers the accounts that the PSU chose, of which auth stores only the ids", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application, { fields: { choice: "some", account: "account-2" } });
    expect((await contentOf(tokens.access_token)).account_ids).to.deep.equal(["account-2"]);
    const text = "SELECT c::text AS row FROM consent c WHERE application_id = $1";
    const [row] = await auth.database.run<{ row: string }>({
      name: "c",
      text,
      values: [application.client_id],
    });
    expect(row?.row).to.contain("account-2").and.not.to.contain("CZ65");
  });

  it("is valid for 180 days from the strong authentication (RTS Article 10a(2)(b))", async () => {
    const application = await register(auth);
    await tokensFor(auth, application);
    const text =
      "SELECT valid_until - authenticated_at = interval '180 days' AS right FROM consent WHERE application_id = $1";
    const rows = await auth.database.run({
      name: "days",
      text: text.replace("AS right", 'AS "right"'),
      values: [application.client_id],
    });
    expect(rows).to.deep.equal([{ right: true }]);
  });

  it("ends, with its tokens, when the PSU gives the application a newer one", async () => {
    const application = await register(auth);
    const former = await tokensFor(auth, application);
    const newer = await tokensFor(auth, application);
    await expectEnded(application, former, "superseded");
    expect(await contentOf(newer.access_token)).to.include({ active: true });
    expect((await refresh(auth, application, newer.refresh_token)).status).to.equal(200);
  });

  it("stays in force when another PSU consents, or the same PSU consents to another application", async () => {
    const [application, other] = [await register(auth), await register(auth)];
    const tokens = await tokensFor(auth, application, { username: "jana" });
    await tokensFor(auth, application, { username: "petr" });
    await tokensFor(auth, other, { username: "jana" });
    expect(await contentOf(tokens.access_token)).to.include({ active: true, sub: "psu-jana" });
  });

  it("ends when its refresh token is revoked (RFC 7009 2.1)", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    const answer = await postForm(auth, "/oauth/revoke", application, { token: tokens.refresh_token });
    expect([answer.status, answer.body]).to.deep.equal([200, ""]);
    await expectEnded(application, tokens, "refresh_token_revoked");
  });

  it("stays in force when an access token is revoked, which ends only that token", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    expect(
      (await postForm(auth, "/oauth/revoke", application, { token: tokens.access_token })).status,
    ).to.equal(200);
    expect(await contentOf(tokens.access_token)).to.deep.equal({ active: false });
    expect((await refresh(auth, application, tokens.refresh_token)).status).to.equal(200);
  });

  it("ends when a revocation that failed half-way is repeated (RFC 7009 2.2)", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    const run = (text: string) => auth.database.run({ name: text.slice(0, 20), text, values: [] });
    await run(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
    await run("CREATE TRIGGER failing BEFORE UPDATE ON consent FOR EACH ROW EXECUTE FUNCTION fail()");
    const revoke = () => postForm(auth, "/oauth/revoke", application, { token: tokens.refresh_token });
    expect((await revoke()).status).to.equal(500);
    await run("DROP TRIGGER failing ON consent");
    expect((await revoke()).status).to.equal(200);
    await expectEnded(application, tokens, "refresh_token_revoked");
  });

  it("does not end when another application revokes its token, which gets 200 all the same (RFC 7009 2.2)", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    const foreign = await register(auth, {}, "second-tpp");
    for (const other of [await register(auth), foreign]) {
      const answer = await postForm(auth, "/oauth/revoke", other, { token: tokens.refresh_token });
      expect([answer.status, answer.body]).to.deep.equal([200, ""]);
    }
    for (const token of ["made-up", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."]) {
      const unknown = await postForm(auth, "/oauth/revoke", application, { token });
      expect([unknown.status, unknown.body]).to.deep.equal([200, ""]);
    }
    expect(await contentOf(tokens.access_token)).to.include({ active: true });
  });

  it("ends, with the application's codes, when its application is deleted (REG-10)", async () => {
    const application = await register(auth);
    const tokens = await tokensFor(auth, application);
    const code = await codeFor(auth, application, { username: "petr" });
    await auth.call({ method: "DELETE", path: `${APPLICATIONS}/${application.client_id}` });
    await expectEnded(application, tokens, "application_deleted");
    expect((await redeem(auth, application, code)).status).to.equal(401);
  });

  it("ends when the application gives up a scope that it covers, and only then", async () => {
    const application = await register(auth);
    const both = await tokensFor(auth, application, { username: "jana", request: { scope: "aisp pisp" } });
    const one = await tokensFor(auth, application, { username: "petr", request: { scope: "aisp" } });
    const body = JSON.stringify({ ...REGISTRATION, scopes: ["aisp"] });
    const path = `${APPLICATIONS}/${application.client_id}`;
    await auth.call({ method: "PUT", path, headers: JSON_BODY, body });
    expect(await contentOf(one.access_token)).to.include({ active: true });
    await expectEnded(application, both, "scope_removed");
  });

  it("cannot be given to an application that was deleted meanwhile", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    expect(consentPage.status).to.equal(200);
    await auth.call({ method: "DELETE", path: `${APPLICATIONS}/${application.client_id}` });
    const answer = await browser.post(consentPage, "consent", { choice: "all" });
    expect(answer.status).to.be.within(400, 499);
  });

  it("is not stored when the accounts cannot be fetched", async () => {
    const application = await register(auth);
    auth.accounts.answer = { status: 200, body: '{"accounts":[{"id":1}]}' };
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const answer = await browser.follow(await signIn(auth, browser, page));
    expect(answer.status).to.equal(503);
    const text = "SELECT id FROM consent WHERE application_id = $1";
    expect(await auth.database.run({ name: "none", text, values: [application.client_id] })).to.deep.equal(
      [],
    );
  });
});
