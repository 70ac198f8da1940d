import { expect } from "chai";
import {
  createKey,
  postAs,
  pushedFields,
  registerWithCertificate,
  registerWithKey,
} from "./profiles/fapi2-application.ts";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";
import { FORM_BODY, postForm, postRegistration, register } from "./test-application.ts";

const API = "https://localhost:8444";
const RFC_8414 = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

/** OpenID Connect Discovery 3 demands them of a provider of ID tokens, and of what this server is not they would lie. */
const OF_ID_TOKENS = [
  "subject_types_supported",
  "id_token_signing_alg_values_supported",
  "userinfo_endpoint",
];

/** Each endpoint for clients, with a form and the status that answers it once its client has authenticated. */
const FOR_CLIENTS = {
  "/oauth/token": { fields: () => ({ grant_type: "refresh_token", refresh_token: "none" }), status: 400 },
  "/oauth/revoke": { fields: () => ({ token: "none" }), status: 200 },
  "/oauth/par": { fields: pushedFields, status: 201 },
};

describe("The metadata of the authorization server (RFC 8414)", () => {
  let auth: RunningAuth;
  let metadata: Record<string, unknown>;
  before(async () => {
    auth = await runAuth();
    metadata = JSON.parse((await auth.browse({ path: RFC_8414 })).body);
  });
  after(() => auth.stop());

  const listOf = (name: string): readonly string[] => {
    const list = metadata[name];
    if (!Array.isArray(list)) throw new Error(`${name} is no list`);
    return list.map(String);
  };

  it("are the same at both addresses, and have no members about ID tokens, which do not exist here", async () => {
    expect(JSON.parse((await auth.browse({ path: OPENID })).body)).to.deep.equal(metadata);
    expect(metadata).not.to.have.any.keys(...OF_ID_TOKENS);
  });

  it("have exactly the members that a client of this server can use", () => {
    expect(metadata).to.have.all.keys(
      "issuer",
      "authorization_endpoint",
      "token_endpoint",
      "revocation_endpoint",
      "pushed_authorization_request_endpoint",
      "mtls_endpoint_aliases",
      "jwks_uri",
      "scopes_supported",
      "response_types_supported",
      "response_modes_supported",
      "grant_types_supported",
      "token_endpoint_auth_methods_supported",
      "token_endpoint_auth_signing_alg_values_supported",
      "revocation_endpoint_auth_methods_supported",
      "revocation_endpoint_auth_signing_alg_values_supported",
      "require_pushed_authorization_requests",
      "code_challenge_methods_supported",
      "tls_client_certificate_bound_access_tokens",
      "authorization_response_iss_parameter_supported",
      "request_parameter_supported",
      "request_uri_parameter_supported",
      "claims_parameter_supported",
      "ui_locales_supported",
    );
  });

  it("name endpoints that exist, each on the listener of its host", async () => {
    const endpoints = Object.entries({ ...metadata, ...Object(metadata.mtls_endpoint_aliases) }).filter(
      ([name]) => name.endsWith("_endpoint") || name === "jwks_uri",
    );
    expect(endpoints).to.have.length(5);
    for (const [name, value] of endpoints) {
      const { origin, pathname: path } = new URL(String(value));
      const isBrowsers = name === "authorization_endpoint" || name === "jwks_uri";
      expect(origin, name).to.equal(isBrowsers ? ISSUER : API);
      const call = isBrowsers ? { path } : { method: "POST", path, headers: FORM_BODY, body: "" };
      const answer = isBrowsers ? await auth.browse(call) : await auth.call(call);
      expect(answer.status, name).to.be.oneOf([200, 400]);
    }
  });

  it("name exactly the client authentication methods that work, at every endpoint for clients", async () => {
    const withSecret = await register(auth);
    const { client_id, client_secret } = withSecret;
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const headers = { ...FORM_BODY, authorization };
    const [byKey, byCertificate] = [await registerWithKey(auth), await registerWithCertificate(auth)];
    const methods = listOf("revocation_endpoint_auth_methods_supported");
    for (const [path, { fields, status }] of Object.entries(FOR_CLIENTS)) {
      const body = new URLSearchParams(fields(withSecret)).toString();
      const works = {
        client_secret_basic: (await auth.call({ method: "POST", path, headers, body })).status,
        client_secret_post: (await postForm(auth, path, withSecret, fields(withSecret))).status,
        private_key_jwt: (await postAs(auth, byKey, path, fields(byKey))).status,
        tls_client_auth: (await postAs(auth, byCertificate, path, fields(byCertificate))).status,
      };
      expect(works, path).to.deep.equal(Object.fromEntries(methods.map((name) => [name, status])));
    }
    expect(listOf("token_endpoint_auth_methods_supported")).to.have.members(methods);
  });

  it("name exactly the assertion algorithms ES256, PS256 and EdDSA, which all work", async () => {
    const algorithms = ["ES256", "PS256", "EdDSA"] as const;
    for (const place of ["token", "revocation"])
      expect(listOf(`${place}_endpoint_auth_signing_alg_values_supported`)).to.have.members([...algorithms]);
    for (const alg of algorithms) {
      const application = await registerWithKey(auth, { alg });
      const pushed = await postAs(auth, application, "/oauth/par", pushedFields(application));
      expect(pushed.status, alg).to.equal(201);
      const fields = { grant_type: "refresh_token", refresh_token: "none" };
      const token = await postAs(auth, application, "/oauth/token", fields);
      expect(JSON.parse(token.body).error, alg).to.equal("invalid_grant");
    }
  });

  it("name exactly the authentication methods that may be registered while the bank requires fapi2", async () => {
    const strict = await runAuth({ SECURITY_PROFILE: "fapi2" }, auth);
    try {
      const { token_endpoint_auth_methods_supported: methods, ...rest } = JSON.parse(
        (await strict.browse({ path: RFC_8414 })).body,
      );
      expect(rest.require_pushed_authorization_requests).to.equal(true);
      const { members } = await createKey();
      for (const method of listOf("token_endpoint_auth_methods_supported")) {
        const body = { ...members, token_endpoint_auth_method: method };
        const { status } = await postRegistration(strict, body);
        expect(status === 201, method).to.equal(methods.includes(method));
      }
    } finally {
      await strict.stop();
    }
  });
});
