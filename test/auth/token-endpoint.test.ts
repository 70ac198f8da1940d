import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { parseApplicationId } from "@cobs/cobs-model";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { cleanExpired } from "../../packages/auth/src/records/clean-expired-postgres.ts";
import { createTokenSearch } from "../../packages/auth/src/tokens/token-search-postgres.ts";
import { eventually } from "../support/eventually.ts";
import { orders, twinOf } from "../support/twin-certificate.ts";
import { expectError } from "./expect-error.ts";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { RESOURCE_SERVER, type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  FORM_BODY,
  postForm,
  REDIRECT_URI,
  register,
  type TestApplication,
} from "./test-application.ts";
import { codeFor, redeem, refresh } from "./use-tokens.ts";

const VERIFIER = "a".repeat(43);
/** base64url(SHA-256(VERIFIER)), RFC 7636 4.2. */
const CHALLENGE = "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA";

describe("The token endpoint", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  before(async () => {
    auth = await runAuth();
    application = await register(auth);
  });
  after(() => auth.stop());

  const newCode = (request: Readonly<Record<string, string>> = {}) => codeFor(auth, application, { request });
  const redeemOwn = (code: string, more?: Readonly<Record<string, string>>) =>
    redeem(auth, application, code, more);
  const newRefreshToken = async (request?: Readonly<Record<string, string>>): Promise<string> =>
    JSON.parse((await redeemOwn(await newCode(request))).body).refresh_token;
  const refreshOwn = (token: string, more?: Readonly<Record<string, string>>) =>
    refresh(auth, application, token, more);
  const postResources = (fields: Readonly<Record<string, string>>, resources: readonly string[]) => {
    const { client_id, client_secret, certificate } = application;
    const body = new URLSearchParams({ client_id, client_secret, ...fields });
    for (const resource of resources) body.append("resource", resource);
    const request = { certificate, method: "POST", path: "/oauth/token", headers: FORM_BODY };
    return auth.call({ ...request, body: body.toString() });
  };

  describe("for a code (COBS PDF 1.4.4)", () => {
    it("gives an opaque bearer token for ten minutes and a refresh token", async () => {
      const answer = await redeemOwn(await newCode({ scope: "aisp pisp" }));
      expect(answer.status, answer.body).to.equal(200);
      const tokens = JSON.parse(answer.body);
      expect(tokens).to.have.all.keys("access_token", "refresh_token", "expires_in", "token_type", "scope");
      expect(tokens).to.include({ expires_in: 600, token_type: "Bearer", scope: "aisp pisp" });
      expect(tokens.access_token).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(answer.headers).not.to.have.property("access-control-allow-origin");
    });

    it("accepts the credentials as HTTP Basic too (RFC 6749 2.3.1)", async () => {
      const { client_id, client_secret, certificate } = application;
      const basic = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
      const code = await newCode();
      const fields = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code };
      const answer = await auth.call({
        certificate,
        method: "POST",
        path: "/oauth/token",
        headers: { ...FORM_BODY, authorization: `Basic ${basic}` },
        // RFC 6749 3.2: without a value as good as left out.
        body: `${new URLSearchParams(fields)}&client_id=&client_secret=`,
      });
      expect(answer.status, answer.body).to.equal(200);
    });

    it("gives tokens once for fifty parallel redemptions, across two processes (RFC 6749 4.1.2)", async () => {
      const second = await runAuth({}, auth);
      try {
        const code = await newCode();
        const attempts = Array.from({ length: 50 }, (_, index) =>
          redeem(index % 2 === 0 ? auth : second, application, code),
        );
        const answers = await Promise.all(attempts);
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused).to.have.length(49);
        for (const answer of refused) expectError(answer, 400, "invalid_grant");
      } finally {
        await second.stop();
      }
    });

    it("ends the tokens of a code that is redeemed twice at the same moment (RFC 6749 4.1.2)", async () => {
      const code = await newCode();
      const waits = {
        name: "redemptions-wait",
        text: `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query LIKE 'WITH used AS%'`,
        values: [],
      };
      const [attempts] = await auth.database.transaction(async (queries) => {
        const text = "SELECT FROM token WHERE kind = 'AuthorizationCode' AND consumed_at IS NULL FOR UPDATE";
        await queries.run({ name: "hold-codes", text, values: [] });
        const both = Promise.all([redeemOwn(code), redeemOwn(code)]);
        await eventually(async () => (await auth.database.run(waits)).length === 2);
        return [both] as const;
      });
      const [given, refused] = (await attempts).toSorted((one, other) => one.status - other.status);
      expect(given?.status).to.equal(200);
      expect(refused?.status).to.equal(400);
      const { refresh_token } = JSON.parse(given?.body ?? "");
      expectError(await refreshOwn(refresh_token), 400, "invalid_grant");
    });

    it("ends the consent and tokens of a code that is redeemed a second time (RFC 6749 4.1.2)", async () => {
      const code = await newCode();
      const { refresh_token } = JSON.parse((await redeemOwn(code)).body);
      expectError(await redeemOwn(code), 400, "invalid_grant");
      expectError(await refreshOwn(refresh_token), 400, "invalid_grant");
      const statement = {
        name: "why",
        text: "SELECT end_reason FROM consent WHERE ended_by = 'bank'",
        values: [],
      };
      expect(await auth.database.run(statement)).to.deep.include({ end_reason: "code_reused" });
    });

    it("ends the tokens of a reused code even after its expiry, when operators no longer see it listed", async () => {
      const code = await newCode();
      const { refresh_token } = JSON.parse((await redeemOwn(code)).body);
      const text = `UPDATE token SET expires_at = expires_at - interval '2 minutes',
        payload = jsonb_set(payload, '{exp}', to_jsonb((payload ->> 'exp')::int - 120)) WHERE kind = 'AuthorizationCode'`;
      await auth.database.run({ name: "two-minutes-later", text, values: [] });
      while (await cleanExpired(auth.database));
      const of = { application: parseApplicationId(application.client_id) };
      const listed = await createTokenSearch(auth.database).list({ of, after: undefined, limit: 1_000 });
      expect(listed.map(({ kind }) => kind))
        .to.include("refresh_token")
        .and.not.to.include("authorization_code");
      expectError(await redeemOwn(code), 400, "invalid_grant");
      expectError(await refreshOwn(refresh_token), 400, "invalid_grant");
    });

    it("accepts a code again after its tokens could not be stored (503 with Retry-After)", async () => {
      const code = await newCode();
      const run = (text: string) => auth.database.run({ name: text.slice(0, 20), text, values: [] });
      await run(`CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'undone' USING ERRCODE = 'deadlock_detected'; END $$`);
      await run("CREATE TRIGGER undoing BEFORE INSERT ON token FOR EACH ROW EXECUTE FUNCTION undo()");
      try {
        const failed = await redeemOwn(code);
        expectError(failed, 503, "server_error");
        expect(failed.headers["retry-after"]).to.equal("3");
      } finally {
        await run("DROP TRIGGER undoing ON token");
      }
      const { access_token, refresh_token } = JSON.parse((await redeemOwn(code)).body);
      expect(access_token).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect((await refreshOwn(refresh_token)).status).to.equal(200);
    });

    it("uses up no code for a caller who has hung up, and gives tokens to the same call again", async () => {
      const code = await newCode();
      const { client_id, client_secret, certificate } = application;
      const fields = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code };
      const body = new URLSearchParams({ ...fields, client_id, client_secret }).toString();
      const agent = new Agent({ keepAlive: true });
      await auth.database.transaction(async (queries) => {
        const run = (name: string, text: string) => queries.run({ name, text, values: [] });
        await run("hold-tokens", "LOCK TABLE token IN ACCESS EXCLUSIVE MODE");
        const sent = { certificate, method: "POST", path: "/oauth/token", headers: FORM_BODY, body, agent };
        const call = auth.call(sent).catch(() => undefined);
        const waits = "SELECT FROM pg_locks WHERE relation = 'token'::regclass AND NOT granted";
        await eventually(async () => (await run("who-waits", waits)).length > 0);
        agent.destroy();
        await call;
        await eventually(() => auth.lastCall().status === 499);
      });
      const { refresh_token } = JSON.parse((await redeemOwn(code)).body);
      expect((await refreshOwn(refresh_token)).status).to.equal(200);
    });

    it("requires the redirect_uri even when only one is registered (COBS PDF 1.4.4)", async () => {
      const fields = { grant_type: "authorization_code", code: await newCode() };
      expectError(await postForm(auth, "/oauth/token", application, fields), 400, "invalid_request");
    });

    it("requires the same redirect_uri as in the authorization request (RFC 6749 4.1.3)", async () => {
      expectError(
        await redeemOwn(await newCode(), { redirect_uri: `${REDIRECT_URI}/` }),
        400,
        "invalid_grant",
      );
    });

    it("gives the same list of possible causes, whatever is wrong with a code (RFC 6749 5.2)", async () => {
      const used = await newCode();
      await redeemOwn(used);
      const wrong = [
        await redeemOwn("unknown"),
        await redeemOwn(used),
        await redeemOwn(await newCode(), { redirect_uri: `${REDIRECT_URI}/` }),
        await redeem(auth, await register(auth), await newCode()),
        await redeemOwn(await newCode(), { code_verifier: VERIFIER }),
        await refreshOwn("unknown"),
      ];
      for (const answer of wrong) expectError(answer, 400, "invalid_grant");
      const [body, ...others] = new Set(wrong.map((answer) => answer.body));
      expect(others).to.deep.equal([]);
      for (const word of ["code", "refresh token", "redirect_uri", "code_verifier", "application", "consent"])
        expect(JSON.parse(body ?? "").error_description).to.include(word);
    });

    it("does not use up a code that comes with another resource, alone or beside ours (RFC 8707 2.2)", async () => {
      const code = await newCode();
      const elsewhere = "https://elsewhere.example";
      expectError(await redeemOwn(code, { resource: elsewhere }), 400, "invalid_target");
      const both = [RESOURCE_SERVER, elsewhere];
      expectError(
        await postResources({ grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code }, both),
        400,
        "invalid_target",
      );
      expect((await redeemOwn(code)).status).to.equal(200);
    });

    it("refuses the code of another application (RFC 6749 4.1.3)", async () => {
      expectError(await redeem(auth, await register(auth), await newCode()), 400, "invalid_grant");
    });

    it("requires the verifier of a challenge, and refuses one without a challenge (RFC 7636, RFC 9700 2.1.1)", async () => {
      const offered = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
      expectError(await redeemOwn(await newCode(offered)), 400, "invalid_grant");
      const wrong = "b".repeat(43);
      expectError(await redeemOwn(await newCode(offered), { code_verifier: wrong }), 400, "invalid_grant");
      expectError(await redeemOwn(await newCode(), { code_verifier: VERIFIER }), 400, "invalid_grant");
      expect((await redeemOwn(await newCode(offered), { code_verifier: VERIFIER })).status).to.equal(200);
    });
  });

  describe("for a refresh token (COBS PDF 1.4.5)", () => {
    it("gives a new access token each time for the same refresh token, also in parallel", async () => {
      const refresh_token = await newRefreshToken();
      const answers = await Promise.all(Array.from({ length: 10 }, () => refreshOwn(refresh_token)));
      for (const answer of answers) expect(answer.status, answer.body).to.equal(200);
      const tokens = new Set(answers.map(({ body }) => JSON.parse(body).access_token));
      expect(tokens.size).to.equal(10);
    });

    it("narrows the scopes on request, in any letter case (RFC 6749 6, A-30)", async () => {
      const refresh_token = await newRefreshToken({ scope: "aisp pisp" });
      const answer = await refreshOwn(refresh_token, { scope: "AISP" });
      expect(answer.status, answer.body).to.equal(200);
      expect(JSON.parse(answer.body).scope).to.equal("aisp");
    });

    it("refuses scopes beyond the consent (RFC 6749 6)", async () => {
      const refresh_token = await newRefreshToken({ scope: "aisp" });
      expectError(await refreshOwn(refresh_token, { scope: "aisp pisp" }), 400, "invalid_scope");
      expectError(
        await refreshOwn(refresh_token, { resource: "https://elsewhere.example" }),
        400,
        "invalid_target",
      );
    });

    it("accepts only our resource, however often it is named (RFC 8707 2.2)", async () => {
      const refresh_token = await newRefreshToken();
      const fields = { grant_type: "refresh_token", refresh_token };
      const [ours, others] = [RESOURCE_SERVER, ["https://a.example", "https://b.example"]];
      expect((await postResources(fields, [ours, ours])).status).to.equal(200);
      expectError(await postResources(fields, [ours, ...others]), 400, "invalid_target");
      expectError(await postResources(fields, others), 400, "invalid_target");
    });

    it("refuses another application, even of the same TPP", async () => {
      const refresh_token = await newRefreshToken();
      expectError(await refresh(auth, await register(auth), refresh_token), 400, "invalid_grant");
    });

    it("accepts a renewed certificate of the same TPP (RFC 8705 7.1)", async () => {
      const refresh_token = await newRefreshToken();
      const renewed = { ...application, certificate: "all-roles-renewed" };
      expect((await refresh(auth, renewed, refresh_token)).status).to.equal(200);
    });

    it("refuses it once the consent has expired (RFC 9700 4.14)", async () => {
      const refresh_token = await newRefreshToken();
      const text = "UPDATE consent SET valid_until = now() - interval '1 second' WHERE ended_at IS NULL";
      await auth.database.run({ name: "expire", text, values: [] });
      expectError(await refreshOwn(refresh_token), 400, "invalid_grant");
    });
  });

  describe("for client authentication", () => {
    it("refuses another TPP with the right secret exactly like an unknown client or a wrong secret", async () => {
      const fields = { grant_type: "refresh_token", refresh_token: "none" };
      const answers = await Promise.all([
        postForm(auth, "/oauth/token", application, fields, "second-tpp"),
        postForm(auth, "/oauth/token", { ...application, client_id: "AAAAAAAAAAAAAAAAAAAAAA" }, fields),
        postForm(auth, "/oauth/token", { ...application, client_secret: "wrong" }, fields),
        postForm(auth, "/oauth/token", { ...application, client_id: "resource" }, fields),
      ]);
      for (const answer of answers) expectError(answer, 401, "invalid_client");
      expect(new Set(answers.map(({ body }) => body)).size).to.equal(1);
    });

    it("refuses the stored hash of a secret", async () => {
      const text = "SELECT secret_hash FROM application WHERE id = $1";
      const statement = { name: "hash", text, values: [application.client_id] };
      const [row] = await auth.database.run<{ secret_hash: string }>(statement);
      const stolen = { ...application, client_secret: row?.secret_hash ?? "" };
      expectError(await postForm(auth, "/oauth/token", stolen, {}), 401, "invalid_client");
    });

    it("names the TPP in the log line, whatever is refused", async () => {
      const { organisationIdentifier: tpp } = auth.tpp(application.certificate);
      const stranger = { ...application, client_id: "AAAAAAAAAAAAAAAAAAAAAA" };
      for (const client of [application, stranger]) {
        const { status } = await postForm(auth, "/oauth/token", client, { grant_type: "none" });
        expect(status).to.be.within(400, 401);
        expect(auth.lastCall()).to.include({ tpp, status });
      }
    });

    it("refuses a missing or wrong certificate as invalid_client, with its refusal code in the log", async () => {
      expectError(await postForm(auth, "/oauth/token", application, {}, null), 401, "invalid_client");
      expect(auth.lastCall().refusal).to.equal("certificate_absent");
      for (const { name, expectedRefusal } of auth.certificates.tpp.filter((each) => each.expectedRefusal)) {
        expectError(await postForm(auth, "/oauth/token", application, {}, name), 401, "invalid_client");
        expect(auth.lastCall().refusal).to.equal(expectedRefusal);
      }
    });

    it("gives the same list of possible causes, whatever is wrong (RFC 6749 10.10)", async () => {
      const [unknown, wrong] = [{ client_id: "AAAAAAAAAAAAAAAAAAAAAA" }, { client_secret: "wrong" }];
      for (const path of ["/oauth/token", "/oauth/par", "/oauth/revoke"]) {
        const answers = [
          await postForm(auth, path, { ...application, ...unknown }, {}),
          await postForm(auth, path, { ...application, ...wrong }, {}),
          await postForm(auth, path, application, {}, "second-tpp"),
        ];
        for (const answer of answers) expectError(answer, 401, "invalid_client");
        const [body, ...others] = new Set(answers.map((answer) => answer.body));
        expect(others).to.deep.equal([]);
        for (const word of ["client_id", "certificate", "secret", "assertion", "registered"])
          expect(JSON.parse(body ?? "").error_description).to.include(word);
      }
    });

    it("sends WWW-Authenticate with a refusal only to callers of HTTP Basic (RFC 6749 5.2)", async () => {
      const basic = Buffer.from(`${application.client_id}:wrong`).toString("base64");
      for (const certificate of [application.certificate, "second-tpp", null]) {
        const headers = { ...FORM_BODY, authorization: `Basic ${basic}` };
        const answer = await auth.call({
          certificate,
          method: "POST",
          path: "/oauth/token",
          headers,
          body: "",
        });
        expectError(answer, 401, "invalid_client");
        expect(answer.headers["www-authenticate"]).to.match(/^Basic realm=/);
      }
      for (const certificate of [application.certificate, "second-tpp", null]) {
        const wrong = { ...application, client_secret: "wrong" };
        const answer = await postForm(auth, "/oauth/token", wrong, {}, certificate);
        expect(answer.headers).not.to.have.property("www-authenticate");
      }
    });
  });

  describe("refuses", () => {
    const post = (body: string | Buffer, headers: Readonly<Record<string, string>> = FORM_BODY) =>
      auth.call({ method: "POST", path: "/oauth/token", headers, body });

    it("other grant types (RFC 6749 5.2)", async () => {
      for (const grant_type of ["password", "client_credentials", "implicit", "urn:x"]) {
        const answer = await postForm(auth, "/oauth/token", application, { grant_type });
        expectError(answer, 400, "unsupported_grant_type");
      }
    });

    it("a request that names no client, or two", async () => {
      const [none, two] = [await post("grant_type=refresh_token"), await post("client_id=a&client_id=b")];
      for (const answer of [none, two]) expectError(answer, 400, "invalid_request");
      expect(JSON.parse(none.body).error_description).to.match(/^client_id is missing: /);
      expect(JSON.parse(two.body).error_description).to.match(/^client_id has different values/);
    });

    it("a pushed request that names its client only in Authorization, and asks for it in the body (RFC 9126 2.1)", async () => {
      const { client_id, client_secret, certificate } = application;
      const basic = { ...FORM_BODY, authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
      const placesAt = async (path: string) => {
        const answer = await auth.call({
          certificate,
          method: "POST",
          path,
          headers: FORM_BODY,
          body: "",
        });
        expectError(answer, 400, "invalid_request");
        return JSON.parse(answer.body).error_description;
      };
      const missing = "client_id is missing: send it in the body";
      expect(await placesAt("/oauth/par")).to.equal(missing);
      for (const path of ["/oauth/token", "/oauth/revoke"])
        expect(await placesAt(path)).to.equal(`${missing}, or in Authorization: Basic`);
      const pushed = { certificate, method: "POST", path: "/oauth/par", headers: basic };
      expectError(await auth.call({ ...pushed, body: "response_type=code" }), 400, "invalid_request");
    });

    it("an Authorization that is not Basic with an id and a secret, whatever the body has (RFC 6749 5.2)", async () => {
      const { client_id, client_secret } = application;
      const fields = { grant_type: "refresh_token", refresh_token: "none" };
      const bodies = [{}, { client_id }, { client_id, client_secret }].map((named) =>
        new URLSearchParams({ ...fields, ...named }).toString(),
      );
      const values = [
        "Basic !!",
        "Bearer abc",
        `Basic ${btoa(client_id)}`,
        `Basic ${btoa(`${client_id}:%zz`)}`,
      ];
      for (const body of bodies) {
        for (const authorization of values) {
          const answer = await post(body, { ...FORM_BODY, authorization });
          expectError(answer, 401, "invalid_client");
          expect(answer.headers["www-authenticate"]).to.equal('Basic realm="token"');
          expect(JSON.parse(answer.body).error_description).to.include("Authorization must be Basic");
          expect(auth.lastCall().refusal).to.equal("authorization_unreadable");
        }
      }
    });

    it("a client without credentials, with no Authorization or an empty one", async () => {
      const { client_id } = application;
      const body = new URLSearchParams({ client_id, grant_type: "refresh_token", refresh_token: "none" });
      const [without, empty] = [
        await post(body.toString(), FORM_BODY),
        await post(body.toString(), { ...FORM_BODY, authorization: "" }),
      ];
      expectError(empty, 401, "invalid_client");
      expect([empty.status, empty.body]).to.deep.equal([without.status, without.body]);
    });

    it("a request that two parsers could read as two clients, before the provider sees it (RFC 8705 2)", async () => {
      const { client_id, client_secret } = application;
      const own = await register(auth, {}, "second-tpp");
      const credentials = new URLSearchParams({ client_id, client_secret }).toString();
      const basic = { ...FORM_BODY, authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
      const requests: readonly (readonly [body: string, headers: Readonly<Record<string, string>>])[] = [
        // A parser that stops after a thousand fields sees the first client alone.
        [`${credentials}&${"a=&".repeat(1_000)}client_id=${own.client_id}`, FORM_BODY],
        [`client_id=${own.client_id}`, basic],
        [`client_id=${own.client_id}&${credentials}`, FORM_BODY],
      ];
      for (const [body, headers] of requests) {
        const answer = await auth.call({
          certificate: "second-tpp",
          method: "POST",
          path: "/oauth/token",
          headers,
          body,
        });
        expectError(answer, 400, "invalid_request");
        expect(auth.lastCall().refusal).to.equal("body_malformed");
      }
      const apart = { ...basic, authorization: basic.authorization.replace(" ", "  ") };
      expectError(await post("", apart), 401, "invalid_client");
      expect(auth.lastCall().refusal).to.equal("authorization_unreadable");
    });

    it("forms that are not UTF-8, raw or percent-encoded (RFC 6749 appendix B)", async () => {
      const path = "/oauth/token";
      for (const code of [Buffer.from([0xe8]), "%E8"]) {
        const body = Buffer.concat([Buffer.from("grant_type=authorization_code&code="), Buffer.from(code)]);
        const answer = await auth.call({
          certificate: "aisp-pisp",
          method: "POST",
          path,
          headers: FORM_BODY,
          body,
        });
        expectError(answer, 400, "invalid_request");
        expect(JSON.parse(answer.body).error_description).to.equal("the body is not UTF-8");
      }
    });

    it("repeated parameters (RFC 6749 3.2)", async () => {
      const { client_id, client_secret } = application;
      const body = new URLSearchParams({ client_id, client_secret, grant_type: "authorization_code" });
      body.append("code", "a");
      body.append("code", "b");
      expectError(await post(body.toString()), 400, "invalid_request");
    });

    it("bodies that are not forms (415), of two types (400) or too large (413), and other methods (405)", async () => {
      expectError(await post("{}", { "content-type": "application/json" }), 415, "invalid_request");
      expectError(await post("a=b", {}), 415, "invalid_request");
      expectError(await post(`a=${"b".repeat(70_000)}`), 413, "invalid_request");
      const { client_id, client_secret } = application;
      const credentials = new URLSearchParams({ client_id, client_secret }).toString();
      const grows = await post(`${credentials}&grant_type=refresh_token&refresh_token=${"/".repeat(30_000)}`);
      expectError(grows, 413, "invalid_request");
      expect(JSON.parse(grows.body).error_description).to.equal(
        "the body is larger than 57344 bytes, as sent or when form-encoded",
      );
      const headers = { ...FORM_BODY, "content-length": "10000000" };
      const announced = auth.call({
        method: "POST",
        path: "/oauth/token",
        headers,
        body: new Promise(() => {}),
      });
      expectError(await announced, 413, "invalid_request");
      const types = [FORM_BODY["content-type"], "application/json"];
      const twice = { headers: { "content-type": types }, body: "a=b" };
      const ambiguous = await auth.call({ method: "POST", path: "/oauth/token", ...twice });
      expectError(ambiguous, 400, "invalid_request");
      expect(JSON.parse(ambiguous.body).error_description).to.include("Content-Type was sent more than once");
      const other = await auth.call({ path: "/oauth/token" });
      expectError(other, 405, "invalid_request");
      expect(other.headers.allow).to.equal("POST");
    });
  });

  it("is not on the browser host, whose answer names the API host (401 invalid_client)", async () => {
    const answer = await auth.browse({
      method: "POST",
      path: "/oauth/token",
      headers: FORM_BODY,
      body: "a=b",
    });
    expectError(answer, 401, "invalid_client");
    expect(JSON.parse(answer.body).error_description).to.contain("https://localhost:8444/oauth/token");
    const applications = await auth.browse({ method: "POST", path: APPLICATIONS });
    expect(JSON.parse(applications.body).error_description).to.contain(
      `https://localhost:8444${APPLICATIONS}`,
    );
  });

  it("logs TPP and certificate, so that the calls of a stolen certificate can be found in either form", async () => {
    const { certificate } = application;
    const { organisationIdentifier: tpp, thumbprint, certificateFile } = auth.tpp(certificate ?? "");
    const { raw } = new X509Certificate(readFileSync(certificateFile));
    const twinThumbprint = thumbprintOf(twinOf(raw, orders["P-256"]));
    const code = await newCode();
    for (const call of [() => redeemOwn(code), () => auth.call({ certificate, path: APPLICATIONS })]) {
      expect((await call()).status).to.equal(200);
      expect(auth.lastCall()).to.include({ tpp, thumbprint, twinThumbprint });
    }
  });

  it("stores no access or refresh token in clear", async () => {
    const tokens = JSON.parse((await redeemOwn(await newCode())).body);
    const rows = await auth.database.run<{ row: string }>({
      name: "all",
      text: "SELECT t::text AS row FROM token t UNION ALL SELECT e::text FROM ephemeral_record e",
      values: [],
    });
    const stored = rows.map(({ row }) => row).join("\n");
    expect(stored).to.contain("RefreshToken");
    expect(stored).not.to.contain(tokens.access_token).and.not.to.contain(tokens.refresh_token);
  });

  const countConsents = async () => {
    const [row] = await auth.database.run<{ consents: bigint }>({
      name: "count-consents-of-application",
      text: "SELECT count(*) AS consents FROM consent WHERE application_id = $1",
      values: [application.client_id],
    });
    return row?.consents ?? 0n;
  };

  it("gives one code for one consent, however many requests come back in parallel", async () => {
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    const before = await countConsents();
    const posts = await Promise.all(
      Array.from({ length: 50 }, () => browser.post(consentPage, "consent", { choice: "all" })),
    );
    // A form that comes again leads where the first one led; one consent was stored all the same.
    const locations = new Set(posts.map(({ headers }) => headers.location).filter(Boolean));
    expect(locations.size).to.equal(1);
    expect(await countConsents()).to.equal(before + 1n);
    const location = [...locations].join().replace("https://localhost:8443", "");
    const resumed = await Promise.all(Array.from({ length: 20 }, () => browser.get(location)));
    const codes = resumed.filter(({ headers }) => String(headers.location).includes("code="));
    expect(codes).to.have.length(1);
  });
});
