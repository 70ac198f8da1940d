import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { checkAudit } from "../../../packages/auth/src/audit/check-audit-postgres.ts";
import { hashRecordId } from "../../../packages/auth/src/ephemeral/hash-record-id.ts";
import { dumpDatabase, placesOf } from "../../support/database-dump.ts";
import { eventually } from "../../support/eventually.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { authorizePath, consent, openBrowser, signIn } from "../psu-browser.ts";
import { PSUS, type RunningAuth, runAuth } from "../running-auth.ts";
import { APPLICATIONS, JSON_BODY, postForm, register, type TestApplication } from "../test-application.ts";
import { isActive, redeem, type Tokens } from "../use-tokens.ts";

const WRONG_PASSWORD = "a password that is not right";

interface Row {
  readonly actor_kind: string;
  readonly actor: string;
  readonly certificate: string | null;
  readonly request_id: string | null;
  readonly action: string;
  readonly subject: string;
  readonly details: string;
}

describe("The audit log of a running server", function auditLog() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: TestApplication;
  /** Whatever somebody could present, by what it is. */
  const held = new Map<string, string>();
  beforeEach(async () => {
    auth = await runAuth({ BANK_CALLERS: "resource=introspect,feed;operator=operator;auth=accounts" });
    application = await register(auth);
    held.set("secret", application.client_secret);
  });
  afterEach(() => auth.stop());

  const run = <R>(text: string) => auth.database.run<R>({ name: "", text, values: [] });
  const entriesOf = (action: string) =>
    run<Row>(`SELECT * FROM audit_entry WHERE action = '${action}' ORDER BY id`);
  const tppOf = () => ({
    actor_kind: "tpp",
    actor: auth.tpp("aisp-pisp").organisationIdentifier,
    certificate: auth.tpp("aisp-pisp").thumbprint,
  });
  const operatorOf = () => {
    const file = auth.certificates.bank.operator.certificateFile;
    const certificate = thumbprintOf(new X509Certificate(readFileSync(file)).raw);
    return { actor_kind: "operator", actor: "operator", certificate };
  };
  const lastRequest = () => String(auth.lastCall().requestId);

  async function redeemKept(back: URL): Promise<RawAnswer> {
    const code = back.searchParams.get("code") ?? "";
    held.set(`code ${held.size}`, code);
    return redeem(auth, application, code);
  }
  async function tokensOf(back: URL): Promise<Tokens> {
    const tokens: Tokens = JSON.parse((await redeemKept(back)).body);
    held.set(`access token ${held.size}`, tokens.access_token);
    held.set(`refresh token ${held.size}`, tokens.refresh_token);
    return tokens;
  }
  const revoke = (token: string) => postForm(auth, "/oauth/revoke", application, { token });
  const asOperator = (method: string, path: string, order?: unknown) =>
    auth.callAsBank(
      { method, path, headers: JSON_BODY, ...(order !== undefined && { body: JSON.stringify(order) }) },
      "operator",
    );
  it("records a PSU's sign-in, consent and the consent that replaces it, each with its call", async () => {
    await consent(auth, application);
    const given = lastGiven(await run<Row>("SELECT * FROM audit_entry WHERE action = 'consent.given'"));
    await consent(auth, application);
    const jana = { actor_kind: "psu", actor: "psu-jana", certificate: null };
    const [signedIn] = await entriesOf("psu.signed_in");
    expect(signedIn).to.deep.include({ ...jana, details: '{"methods":["password","totp"]}' });
    expect(given).to.deep.include(jana);
    expect(JSON.parse(given.details)).to.include({
      application: application.client_id,
      psu: "psu-jana",
      tpp: tppOf().actor,
    });
    const [ended] = await entriesOf("consent.ended");
    expect(ended).to.deep.include({ ...jana, subject: given.subject });
    expect(JSON.parse(ended?.details ?? "")).to.include({ by: "psu", reason: "superseded" });
    const successor = (await entriesOf("consent.given")).at(-1);
    expect(successor).to.deep.include(jana);
    expect(successor?.subject).to.not.equal(given.subject);
    const calls = auth.logLines.filter(({ msg }) => msg === "call").map(({ requestId }) => requestId);
    for (const entry of [signedIn, given, ended, successor]) expect(calls).to.include(entry?.request_id);
  });

  const lastGiven = (rows: readonly Row[]): Row => {
    const row = rows.at(-1);
    if (row === undefined) throw new Error("no consent was recorded");
    return row;
  };

  it("records the TPP that revokes a token, with its certificate and call, and the token's hash", async () => {
    const { access_token: token } = await tokensOf(await consent(auth, application));
    await revoke(token);
    const requestId = lastRequest();
    expect(await entriesOf("token.revoked")).to.have.length(1);
    expect((await entriesOf("token.revoked"))[0]).to.deep.include({
      ...tppOf(),
      request_id: requestId,
      subject: hashRecordId(token).toString("base64url"),
    });
  });

  it("records the TPP that revokes a refresh token, and the end of its consent (RFC 7009 2.1)", async () => {
    const { refresh_token: token } = await tokensOf(await consent(auth, application));
    await revoke(token);
    const about = { ...tppOf(), request_id: lastRequest() };
    const [revoked] = await entriesOf("token.revoked");
    const [ended] = await entriesOf("consent.ended");
    expect(revoked).to.deep.include(about);
    expect(ended).to.deep.include({ ...about, subject: revoked?.subject });
    expect(JSON.parse(ended?.details ?? "")).to.include({ by: "tpp", reason: "refresh_token_revoked" });
  });

  it("records once the TPP whose code was sent again, and the end of its consent (RFC 6749 4.1.2)", async () => {
    const back = await consent(auth, application);
    await redeemKept(back);
    await redeemKept(back);
    const about = { ...tppOf(), request_id: lastRequest() };
    await redeemKept(back);
    const reused = await entriesOf("code.reused");
    expect(reused).to.have.length(1);
    expect(reused[0]).to.deep.include(about);
    const [ended] = await entriesOf("consent.ended");
    expect(ended).to.deep.include({ ...about, subject: reused[0]?.subject });
    expect(JSON.parse(ended?.details ?? "")).to.include({ by: "bank", reason: "code_reused" });
  });

  it("records each consent that ends with its application, and the TPP that deleted it", async () => {
    await tokensOf(await consent(auth, application, { username: "jana" }));
    await tokensOf(await consent(auth, application, { username: "petr" }));
    await auth.call({ method: "DELETE", path: `${APPLICATIONS}/${application.client_id}` });
    const ended = await entriesOf("consent.ended");
    expect(ended).to.have.length(2);
    for (const entry of ended) expect(entry).to.deep.include({ ...tppOf(), request_id: lastRequest() });
  });

  it("records the operator's certificate with each block, release and change of keys", async () => {
    const [first] = await entriesOf("key.announced");
    expect(first).to.deep.include({ actor_kind: "server", actor: "key rotation", request_id: null });
    const organisationIdentifier = auth.tpp("second-tpp").organisationIdentifier;
    await asOperator("POST", "/operator/stop-list", { tpp: organisationIdentifier, reason: "fraud" });
    const blocked = { ...operatorOf(), request_id: lastRequest(), subject: organisationIdentifier };
    expect((await entriesOf("tpp.blocked"))[0]).to.deep.include(blocked);
    const release = { tpp: organisationIdentifier, reason: "cleared" };
    await asOperator("POST", "/operator/stop-list/release", release);
    const details = '{"note":"cleared","reason":"fraud"}';
    const released = { ...blocked, request_id: lastRequest(), details };
    expect((await entriesOf("tpp.released"))[0]).to.deep.include(released);
    const { kid } = JSON.parse((await asOperator("POST", "/operator/keys", { use: "signing" })).body);
    const key = { ...operatorOf(), subject: kid };
    expect((await entriesOf("key.announced")).at(-1)).to.deep.include({ ...key, request_id: lastRequest() });
    await asOperator("POST", `/operator/keys/${kid}/drop`, { reason: "a copy of a backup" });
    expect((await entriesOf("key.dropped"))[0]).to.deep.include({ ...key, request_id: lastRequest() });
  });

  it("is sealed by the running server within seconds", async () => {
    await consent(auth, application);
    await eventually(async () => {
      const { intactThrough, unsealed, broken } = await checkAudit(auth.database);
      return intactThrough.sequence > 0 && unsealed.entries === 0 && broken === undefined;
    });
  });

  describe("when it cannot be written", () => {
    const stopTaking = () => run("REVOKE INSERT ON audit_entry FROM current_user");
    const takeAgain = () => run("GRANT INSERT ON audit_entry TO current_user");

    it("fails a revocation, and leaves tokens and consents active", async () => {
      const { access_token: access, refresh_token: refresh } = await tokensOf(
        await consent(auth, application),
      );
      await stopTaking();
      for (const token of [access, refresh]) {
        expect((await revoke(token)).status).to.be.at.least(500);
        expect(await isActive(auth, access)).to.equal(true);
      }
      const tried = await auth.call({ method: "DELETE", path: `${APPLICATIONS}/${application.client_id}` });
      expect(tried.status).to.be.at.least(500);
      expect(await isActive(auth, access)).to.equal(true);
      await takeAgain();
      await revoke(refresh);
      expect(await isActive(auth, access)).to.equal(false);
    });

    it("lets nobody sign in, and no consent be given", async () => {
      const browser = openBrowser(auth);
      const page = await browser.follow(await browser.get(authorizePath(application)));
      const consentPage = await browser.follow(await signIn(auth, browser, page));
      await stopTaking();
      const answer = await browser.post(consentPage, "consent", { choice: "all" });
      expect(answer.status).to.be.at.least(500);
      expect(await run("SELECT id FROM consent")).to.deep.equal([]);
      const other = openBrowser(auth);
      const signInPage = await other.follow(await other.get(authorizePath(application)));
      expect((await signIn(auth, other, signInPage, "petr")).status).to.be.at.least(500);
    });

    it("lets the operator block nobody and announce no key", async () => {
      const organisationIdentifier = auth.tpp("second-tpp").organisationIdentifier;
      const keys = await run("SELECT kid FROM server_key");
      await stopTaking();
      const order = { tpp: organisationIdentifier, reason: "fraud" };
      expect((await asOperator("POST", "/operator/stop-list", order)).status).to.be.at.least(500);
      expect((await asOperator("POST", "/operator/keys", { use: "signing" })).status).to.be.at.least(500);
      expect(await run("SELECT id FROM stop_list_block")).to.deep.equal([]);
      expect(await run("SELECT kid FROM server_key")).to.deep.equal(keys);
    });
  });

  it("holds no secret, code, token, cookie or password after a whole journey", async () => {
    const back = await consent(auth, application);
    await tokensOf(back);
    await redeemKept(back);
    const { access_token: access, refresh_token: refresh } = await tokensOf(await consent(auth, application));
    await revoke(access);
    await revoke(refresh);
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const fields = { username: WRONG_PASSWORD, password: WRONG_PASSWORD, one_time_code: "000000" };
    await browser.post(page, "sign-in", fields);
    for (const { name, value } of browser.cookies.values()) held.set(`cookie ${name}`, value);
    const path = `${APPLICATIONS}/${application.client_id}`;
    const renewed = await auth.call({ method: "POST", path: `${path}/renewSecret` });
    held.set("renewed secret", JSON.parse(renewed.body).client_secret);
    await auth.call({ method: "DELETE", path });
    held.set("wrong password", WRONG_PASSWORD);
    for (const { username, password, totpSecret } of PSUS) {
      held.set(`password of ${username}`, password).set(`TOTP secret of ${username}`, totpSecret);
    }
    const dump = await dumpDatabase(auth.environment.TEST_DATABASE_URL ?? "");
    const audit = dump.filter(({ place }) => place.startsWith("audit_"));
    expect(audit.some(({ text }) => text === "psu.sign_in_refused")).to.equal(true);
    for (const [what, secret] of held) expect(placesOf(audit, secret), what).to.deep.equal([]);
  });
});
