import { expect } from "chai";
import { expectError } from "../expect-error.ts";
import { authorizePath, consent, openBrowser } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { APPLICATIONS, postForm, REDIRECT_URI, register, type TestApplication } from "../test-application.ts";
import { codeFor, redeem, refresh } from "../use-tokens.ts";
import {
  byReference,
  type Fapi2Application,
  postAs,
  push,
  pushedFields,
  registerWithCertificate,
  registerWithKey,
  VERIFIER,
} from "./fapi2-application.ts";

const DISCOVERY = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
const WITHOUT_SECRET = ["private_key_jwt", "tls_client_auth"];
const SECRETS = ["client_secret_post", "client_secret_basic"];

describe("A bank", function requiredProfile() {
  this.timeout(120_000);
  let lenient: RunningAuth;
  let strict: RunningAuth;
  let cobs: TestApplication;
  let fapi2: Fapi2Application;
  before(async () => {
    lenient = await runAuth({ CODE_LIFETIME_SECONDS: "600" });
    strict = await runAuth({ SECURITY_PROFILE: "fapi2", CODE_LIFETIME_SECONDS: "600" }, lenient);
    cobs = await register(lenient);
    fapi2 = await registerWithKey(lenient);
  });
  after(async () => {
    await strict.stop();
    await lenient.stop();
  });

  const metadataOf = async (server: RunningAuth) => {
    const [one, other] = await Promise.all(DISCOVERY.map((path) => server.browse({ path })));
    expect(one?.status).to.equal(200);
    expect(one?.body).to.equal(other?.body);
    return JSON.parse(one?.body ?? "");
  };
  /** What is left of the newest code of an application, in seconds. */
  const lifetimeOfCode = async ({ client_id }: Pick<Fapi2Application, "client_id">) => {
    const text = `SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM token
      WHERE kind = 'AuthorizationCode' AND payload->>'clientId' = $1 ORDER BY expires_at DESC LIMIT 1`;
    const values = [client_id];
    const [row] = await lenient.database.run<{ seconds: number }>({ name: "code", text, values });
    return row?.seconds;
  };

  describe("that requires profile fapi2", () => {
    it("sends applications of profile cobs back without a code (unauthorized_client)", async () => {
      const answer = await openBrowser(strict).get(authorizePath(cobs));
      expect(answer.status, answer.body).to.equal(303);
      const location = new URL(String(answer.headers.location));
      expect(location.searchParams.get("error")).to.equal("unauthorized_client");
      expect(location.searchParams.get("state")).to.equal("xyz");
      expect((await openBrowser(lenient).get(authorizePath(cobs))).headers.location).to.match(
        /^\/oauth\/inter/,
      );
    });

    it("refuses pushed requests, codes and refresh tokens of profile cobs (400 unauthorized_client)", async () => {
      const code = await codeFor(lenient, cobs);
      expectError(await postForm(strict, "/oauth/par", cobs, pushedFields(cobs)), 400, "unauthorized_client");
      expectError(await redeem(strict, cobs, code), 400, "unauthorized_client");
      const { refresh_token } = JSON.parse((await redeem(lenient, cobs, code)).body);
      expectError(await refresh(strict, cobs, refresh_token), 400, "unauthorized_client");
    });

    it("tells a stranger nothing of applications of profile cobs (401 invalid_client)", async () => {
      const answer = await postForm(strict, "/oauth/token", cobs, {}, "second-tpp");
      expectError(answer, 401, "invalid_client");
    });

    it("gives applications of profile cobs no new secret", async () => {
      const path = `${APPLICATIONS}/${cobs.client_id}/renewSecret`;
      const { certificate } = cobs;
      const answer = await strict.call({ certificate, method: "POST", path });
      expectError(answer, 400, "invalid_request");
      expect(JSON.parse(answer.body).error_description).to.include("requires profile fapi2");
    });

    it("lets applications of profile cobs revoke their tokens", async () => {
      expect((await postForm(strict, "/oauth/revoke", cobs, { token: "none" })).status).to.equal(200);
    });

    for (const registerFapi2 of [registerWithKey, registerWithCertificate]) {
      it(`serves applications of profile fapi2 from the request to the refresh (${registerFapi2.name})`, async () => {
        const application = await registerFapi2(strict);
        const request = byReference(await push(strict, application));
        const code = await codeFor(strict, application, { request });
        const redeemed = await postAs(strict, application, "/oauth/token", {
          grant_type: "authorization_code",
          redirect_uri: REDIRECT_URI,
          code,
          code_verifier: VERIFIER,
        });
        expect(redeemed.status, redeemed.body).to.equal(200);
        const { refresh_token } = JSON.parse(redeemed.body);
        const form = { grant_type: "refresh_token", refresh_token };
        const refreshed = await postAs(strict, application, "/oauth/token", form);
        expect(refreshed.status, refreshed.body).to.equal(200);
        // FAPI 2.0 5.3.2.1: not rotated.
        expect(JSON.parse(refreshed.body).refresh_token ?? refresh_token).to.equal(refresh_token);
        expect(
          (await postAs(strict, application, "/oauth/revoke", { token: refresh_token })).status,
        ).to.equal(200);
        expectError(await postAs(strict, application, "/oauth/token", form), 400, "invalid_grant");
      });
    }

    it("says so in its metadata (RFC 8414 2, RFC 9126 5)", async () => {
      const metadata = await metadataOf(strict);
      expect(metadata.require_pushed_authorization_requests).to.equal(true);
      expect(metadata.token_endpoint_auth_methods_supported).to.have.members(WITHOUT_SECRET);
      expect(metadata.revocation_endpoint_auth_methods_supported).to.have.members([
        ...WITHOUT_SECRET,
        ...SECRETS,
      ]);
    });
  });

  describe("that leaves the profile to the TPP", () => {
    it("lists in its metadata what it takes, and what it requires of everybody", async () => {
      const metadata = await metadataOf(lenient);
      const api = "https://localhost:8444/oauth";
      const aliases = {
        token_endpoint: `${api}/token`,
        revocation_endpoint: `${api}/revoke`,
        pushed_authorization_request_endpoint: `${api}/par`,
      };
      expect(metadata).to.deep.include({
        ...aliases,
        mtls_endpoint_aliases: aliases,
        require_pushed_authorization_requests: false,
        token_endpoint_auth_signing_alg_values_supported: ["ES256", "PS256", "EdDSA"],
        revocation_endpoint_auth_signing_alg_values_supported: ["ES256", "PS256", "EdDSA"],
        code_challenge_methods_supported: ["S256"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        scopes_supported: ["aisp", "pisp"],
        tls_client_certificate_bound_access_tokens: true,
        authorization_response_iss_parameter_supported: true,
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_parameter_supported: false,
      });
      expect(metadata.token_endpoint_auth_methods_supported).to.have.members([...SECRETS, ...WITHOUT_SECRET]);
    });

    it("gives a code of profile fapi2 a minute at most, whatever is configured (FAPI 2.0 5.3.2.1)", async () => {
      await consent(lenient, fapi2, { request: byReference(await push(lenient, fapi2)) });
      expect(await lifetimeOfCode(fapi2)).to.be.within(1, 60);
    });

    it("gives a code of profile cobs the configured lifetime", async () => {
      await consent(lenient, cobs);
      expect(await lifetimeOfCode(cobs)).to.be.within(61, 600);
    });
  });
});
