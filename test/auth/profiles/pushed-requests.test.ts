import { expect } from "chai";
import { withAnotherEnd } from "../../support/another-ending.ts";
import type { RawAnswer } from "../../support/raw-https.ts";
import { expectError } from "../expect-error.ts";
import { authorizePath, consent, openBrowser, signInNow } from "../psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY, JSON_BODY, postForm, REDIRECT_URI, register } from "../test-application.ts";
import { codeFor, redeem } from "../use-tokens.ts";
import {
  byReference,
  CHALLENGE,
  type Fapi2Application,
  postAs,
  push,
  pushedFields,
  registerWithCertificate,
  registerWithKey,
  VERIFIER,
} from "./fapi2-application.ts";

describe("Pushed authorization requests (RFC 9126)", function pushedRequests() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: Fapi2Application;
  before(async () => {
    auth = await runAuth();
    application = await registerWithCertificate(auth);
  });
  after(() => auth.stop());

  const expectPage = (answer: RawAnswer, status: number) => {
    expect(answer.status, answer.body).to.equal(status);
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
    expect(answer.headers).not.to.have.property("location");
  };
  const pushRaw = (
    changed: Readonly<Record<string, string | undefined>>,
    certificate: string | null = application.certificate,
  ) => postAs(auth, application, "/oauth/par", pushedFields(application, changed), certificate);
  const load = (reference: string, more = {}, which = application) =>
    openBrowser(auth).get(authorizePath(which, byReference(reference, more)));
  const redeemProven = (code: string | null, more: Readonly<Record<string, string>> = {}) =>
    postAs(auth, application, "/oauth/token", {
      grant_type: "authorization_code",
      redirect_uri: REDIRECT_URI,
      code: code ?? "",
      code_verifier: VERIFIER,
      ...more,
    });

  describe("when pushed", () => {
    it("get a reference of more than 128 random bits, for a minute at most (RFC 9126 2.2)", async () => {
      const answer = await pushRaw({});
      expect(answer.status).to.equal(201);
      const { request_uri, expires_in } = JSON.parse(answer.body);
      expect(request_uri).to.match(/^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/);
      expect(expires_in).to.be.within(1, 60);
      expect(answer.headers["cache-control"]).to.equal("no-store");
      expect(answer.headers).not.to.have.property("access-control-allow-origin");
    });

    it("are refused without a certificate, with an expired one or another TPP's (401 invalid_client)", async () => {
      for (const certificate of [null, "wrong-expired", "second-tpp"])
        expectError(await pushRaw({}, certificate), 401, "invalid_client");
    });

    it("are refused without credentials, and for an unknown application (401 invalid_client)", async () => {
      const withKey = await registerWithKey(auth);
      const bare = { certificate: "aisp-pisp", credentials: async () => ({}) };
      for (const client_id of [withKey.client_id, "AAAAAAAAAAAAAAAAAAAAAA"]) {
        const nobody = { ...bare, client_id };
        const answer = await postAs(auth, nobody, "/oauth/par", pushedFields(nobody));
        expectError(answer, 401, "invalid_client");
      }
    });

    const refused: readonly (readonly [string, string, Readonly<Record<string, string | undefined>>])[] = [
      ["without a return address", "invalid_request", { redirect_uri: undefined }],
      ["with an unregistered redirect_uri", "invalid_request", { redirect_uri: "https://evil.example/" }],
      ["with an unknown scope", "invalid_scope", { scope: "aisp admin" }],
      ["with another response type", "unsupported_response_type", { response_type: "balance" }],
      ["with the response type of a token", "unsupported_response_type", { response_type: "token" }],
      ["without a response type", "invalid_request", { response_type: undefined }],
      ["with another response mode", "unsupported_response_mode", { response_mode: "fragment" }],
      ["without PKCE", "invalid_request", { code_challenge: undefined, code_challenge_method: undefined }],
      ["with the plain method of PKCE", "invalid_request", { code_challenge_method: "plain" }],
      ["without a method of PKCE", "invalid_request", { code_challenge_method: undefined }],
      ["with a malformed challenge", "invalid_request", { code_challenge: "short" }],
      ["with a request object", "request_not_supported", { request: "e30.e30." }],
      ["with a request_uri", "request_uri_not_supported", { request_uri: "https://tpp.example/r" }],
      ["with NUL", "invalid_request", { state: "a\0" }],
      ["with another prompt", "invalid_request", { prompt: "create" }],
    ];
    for (const [name, error, changed] of refused) {
      it(`are refused ${name} (${error})`, async () => {
        expectError(await pushRaw(changed), 400, error);
      });
    }

    it("are answered that response_type is missing, not that a response mode is wrong (RFC 6749 4.1.2.1)", async () => {
      const { error_description } = JSON.parse((await pushRaw({ response_type: undefined })).body);
      expect(error_description).to.equal("missing required parameter 'response_type'");
    });

    it("are answered, when they name a request_uri, with where it is taken", async () => {
      for (const request_uri of ["urn:x", await push(auth, application)]) {
        const { error_description } = JSON.parse((await pushRaw({ request_uri })).body);
        expect(error_description).to.equal(
          "request_uri cannot be pushed: send the one that /oauth/par returns to /oauth/authorize",
        );
      }
    });

    it("are refused with a repeated parameter (RFC 6749 3.1)", async () => {
      const { client_id, certificate } = application;
      const body = `${new URLSearchParams({ ...pushedFields(application), client_id })}&state=b`;
      const headers = FORM_BODY;
      expectError(
        await auth.call({ certificate, method: "POST", path: "/oauth/par", headers, body }),
        400,
        "invalid_request",
      );
    });

    it("are refused as JSON, too large, with too many fields, or without just one client_id (RFC 9126 2.3)", async () => {
      const { client_id, certificate } = application;
      const send = (body: string, headers: Readonly<Record<string, string>> = FORM_BODY) =>
        auth.call({ certificate, method: "POST", path: "/oauth/par", headers, body });
      const fields = new URLSearchParams(pushedFields(application)).toString();
      expectError(await send(JSON.stringify(pushedFields(application)), JSON_BODY), 415, "invalid_request");
      expectError(await send(`${fields}&state=${"a".repeat(60_000)}`), 413, "invalid_request");
      expectError(await send(`${fields}${"&a=b".repeat(100)}`), 400, "invalid_request");
      expectError(await send(fields.replace(client_id, "")), 400, "invalid_request");
      expectError(await send(`${fields}&client_id=another`), 400, "invalid_request");
      expectError(await send("response_type=code"), 400, "invalid_request");
      expect((await send(fields)).status).to.equal(201);
    });

    it("are stored up to 8 kB without their credentials, and refused beyond, so that no TPP fills the store (413, RFC 9126 2.3)", async () => {
      const withKey = await registerWithKey(auth);
      const lengthOf = (state: string) =>
        new URLSearchParams(pushedFields(withKey, { state })).toString().length;
      const most = "a".repeat(8_192 - lengthOf(""));
      const pushState = (state: string) =>
        postAs(auth, withKey, "/oauth/par", pushedFields(withKey, { state }));
      expect((await pushState(most)).status).to.equal(201);
      const longest = async () => {
        const text = "SELECT max(length(payload::text))::int AS longest FROM ephemeral_record";
        const [stored] = await auth.database.run<{ longest: number }>({ name: "longest", text, values: [] });
        return stored?.longest;
      };
      expect(await longest()).to.be.within(8_192, 12_000);
      // Written with three bytes each, and stored with eight.
      expect((await pushState("\u0001".repeat(most.length / 3))).status).to.equal(201);
      expect(await longest()).to.be.within(12_000, 23_000);
      for (const state of [`${most}a`, "/".repeat(3_000), "ř".repeat(2_000)]) {
        const refused = await pushState(state);
        expectError(refused, 413, "invalid_request");
        expect(JSON.parse(refused.body).error_description).to.equal(
          "the parameters, without credentials, have more than 8192 bytes when form-encoded",
        );
      }
    });

    it("are served at the API host alone (401 invalid_client), and for POST alone (405)", async () => {
      const body = new URLSearchParams(pushedFields(application)).toString();
      const elsewhere = await auth.browse({ method: "POST", path: "/oauth/par", headers: FORM_BODY, body });
      expectError(elsewhere, 401, "invalid_client");
      expect(elsewhere.body).to.contain("https://localhost:8444/oauth/par");
      expect((await auth.call({ path: "/oauth/par" })).status).to.equal(405);
    });

    it("may have parameters that OpenID Connect alone knows, which are ignored (RFC 6749 3.1)", async () => {
      expect(
        (await pushRaw({ nonce: "n", max_age: "0", acr_values: "x", registration: "{}" })).status,
      ).to.equal(201);
    });

    it("are taken from profile cobs too, with its secret and without PKCE", async () => {
      const cobs = await register(auth);
      const plain = { code_challenge: undefined, code_challenge_method: undefined };
      const answer = await postForm(auth, "/oauth/par", cobs, pushedFields(cobs, plain));
      expect(answer.status, answer.body).to.equal(201);
      const request = byReference(JSON.parse(answer.body).request_uri);
      expect((await redeem(auth, cobs, await codeFor(auth, cobs, { request }))).status).to.equal(200);
    });
  });

  describe("when used", () => {
    it("lead to a code, state and iss, and nothing else (FAPI 2.0 5.3.2.2)", async () => {
      const request = byReference(await push(auth, application, { state: "a b&č" }));
      const back = await consent(auth, application, { request });
      expect([...back.searchParams.keys()].toSorted()).to.deep.equal(["code", "iss", "state"]);
      expect(back.searchParams.get("state")).to.equal("a b&č");
      expect(back.searchParams.get("iss")).to.equal(ISSUER);
      const answer = await redeemProven(back.searchParams.get("code"));
      expect(answer.status, answer.body).to.equal(200);
    });

    it("require the verifier of their challenge (RFC 7636 4.6)", async () => {
      for (const code_verifier of ["", "b".repeat(43)]) {
        const request = byReference(await push(auth, application));
        const back = await consent(auth, application, { request });
        expectError(
          await redeemProven(back.searchParams.get("code"), { code_verifier }),
          400,
          "invalid_grant",
        );
      }
    });

    it("are required of profile fapi2 (FAPI 2.0 5.3.2.2: invalid_request)", async () => {
      const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
      const answer = await openBrowser(auth).get(authorizePath(application, pkce));
      expect(answer.status, answer.body).to.equal(303);
      const { searchParams } = new URL(String(answer.headers.location));
      expect(searchParams.get("error")).to.equal("invalid_request");
      expect(searchParams.get("iss")).to.equal(ISSUER);
      expect(searchParams.has("code")).to.equal(false);
    });

    it("cannot be used by another application, even of the same TPP, or by a made-up reference (page, 400)", async () => {
      const reference = await push(auth, application);
      expectPage(await load(reference, {}, await registerWithCertificate(auth)), 400);
      expectPage(await load(withAnotherEnd(reference)), 400);
      expectPage(await load("urn:ietf:params:oauth:request_uri:"), 400);
      expectPage(await load("https://tpp.example/request.jwt"), 400);
      expect((await load(reference)).headers.location).to.match(/^\/oauth\/interaction\//);
    });

    it("expire (page, 400)", async () => {
      const reference = await push(auth, application);
      const text = "UPDATE ephemeral_record SET expires_at = now() WHERE kind = 'PushedAuthorizationRequest'";
      await auth.database.run({ name: "expire", text, values: [] });
      expectPage(await load(reference), 400);
    });

    it("end when their application is deleted", async () => {
      const brief = await registerWithCertificate(auth);
      const reference = await push(auth, brief);
      const path = `/cobs/2.0/applications/${brief.client_id}`;
      expect((await auth.call({ method: "DELETE", path })).status).to.equal(204);
      expectPage(await load(reference, {}, brief), 400);
    });

    it("may be loaded again until the PSU has consented, and then no more (FAPI 2.0 5.3.2.2)", async () => {
      const reference = await push(auth, application);
      expect((await load(reference)).headers.location).to.match(/^\/oauth\/interaction\//);
      const request = byReference(reference);
      const back = await consent(auth, application, { request });
      expect(back.searchParams.has("code")).to.equal(true);
      expectPage(await load(reference), 400);
    });

    it("may be used again after the PSU has declined", async () => {
      const reference = await push(auth, application);
      const browser = openBrowser(auth);
      const page = await browser.follow(
        await browser.get(authorizePath(application, byReference(reference))),
      );
      const back = await browser.follow(await browser.post(page, "cancel"));
      expect(new URL(String(back.headers.location)).searchParams.get("error")).to.equal("access_denied");
      const again = await consent(auth, application, { request: byReference(reference) });
      expect(again.searchParams.has("code")).to.equal(true);
    });

    it("give one code for fifty authorizations that end at once, in two processes", async () => {
      const second = await runAuth({}, auth);
      try {
        const path = authorizePath(application, byReference(await push(auth, application)));
        const servers = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? auth : second));
        const begun = await Promise.all(
          servers.map(async (server) => {
            const browser = openBrowser(server);
            return { browser, page: await browser.follow(await browser.get(path)) };
          }),
        );
        const ready: (typeof begun)[number][] = [];
        for (const { browser, page } of begun) {
          await forgetUsedCodes();
          ready.push({ browser, page: await browser.follow(await signInNow(auth, browser, page)) });
        }
        const answers = await Promise.all(
          ready.map(async ({ browser, page }) =>
            browser.follow(await browser.post(page, "consent", { choice: "all" })),
          ),
        );
        const backs = answers.map(({ headers }) => new URL(String(headers.location)).searchParams);
        expect(backs.filter((back) => back.has("code"))).to.have.length(1);
        expect(backs.filter((back) => back.get("error") === "invalid_request_uri")).to.have.length(49);
        const text =
          "SELECT count(*)::int AS given FROM consent WHERE application_id = $1 AND ended_at IS NULL";
        const values = [application.client_id];
        expect(await auth.database.run({ name: "given", text, values })).to.deep.equal([{ given: 1 }]);
      } finally {
        await second.stop();
      }
    });
  });

  describe("when stored", () => {
    it("are a thousand of one application at most (429 with Retry-After), and limit no other one", async () => {
      const flooding = await registerWithCertificate(auth);
      const text = `INSERT INTO ephemeral_record (kind, id_hash, uid_hash, payload, expires_at)
        SELECT 'PushedAuthorizationRequest', sha256(($1 || n)::bytea), sha256($1::text::bytea), '{}',
          now() + CASE n WHEN 500 THEN interval '40 seconds' ELSE interval '1 minute' END
        FROM generate_series(1, 1000) n`;
      await auth.database.run({ name: "flood", text, values: [flooding.client_id] });
      const answer = await postAs(auth, flooding, "/oauth/par", pushedFields(flooding));
      expectError(answer, 429, "temporarily_unavailable");
      // Until the first of them ends, less what this test has taken.
      expect(Number(answer.headers["retry-after"])).to.be.within(20, 40);
      expect(auth.logLines.filter(({ limit }) => limit === "par_waiting")).to.have.length(1);
      const metrics = await (await fetch(`http://127.0.0.1:${auth.ports.operator}/metrics`)).text();
      expect(metrics).to.match(/^rate_limited_total\{limit="par_waiting".*\} 1$/m);
      expect((await pushRaw({})).status).to.equal(201);
      const expire =
        "UPDATE ephemeral_record SET expires_at = now() WHERE uid_hash = sha256($1::text::bytea)";
      await auth.database.run({ name: "expire-flood", text: expire, values: [flooding.client_id] });
      expect((await postAs(auth, flooding, "/oauth/par", pushedFields(flooding))).status).to.equal(201);
    });

    it("are useless to a reader of the database", async () => {
      const reference = await push(auth, application);
      const id = reference.split(":").at(-1) ?? "";
      await load(reference);
      const text = "SELECT e.payload::text AS payload FROM ephemeral_record e";
      const rows = await auth.database.run<{ payload: string }>({ name: "dump", text, values: [] });
      const dump = rows.map(({ payload }) => payload).join("\n");
      expect(dump).not.to.contain(id);
      const names = [...dump.matchAll(/"parJti": "([^"]+)"/g)].map(([, name]) => name);
      expect(names).to.have.length.greaterThan(0);
      for (const name of names) expectPage(await load(`urn:ietf:params:oauth:request_uri:${name}`), 400);
    });
  });

  async function forgetUsedCodes(): Promise<void> {
    const text = "UPDATE sandbox_psu SET last_step = 0";
    await auth.database.run({ name: "forget-used-codes", text, values: [] });
  }
});
