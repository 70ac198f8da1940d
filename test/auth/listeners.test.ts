import { readFileSync } from "node:fs";
import { expect } from "chai";
import { createLocalJWKSet, jwtVerify } from "jose";
import { send } from "../support/raw-https.ts";
import { rejectionOf } from "../support/rejection.ts";
import { ISSUER, RESOURCE_SERVER, type RunningAuth, runAuth } from "./running-auth.ts";
import { APPLICATIONS, FORM_BODY, register, type TestApplication } from "./test-application.ts";
import { codeFor, introspect, redeem, refresh, type Tokens } from "./use-tokens.ts";

const INTROSPECTION = "/oauth/introspect";
const SIGNED = { ...FORM_BODY, accept: "application/token-introspection+jwt" };

/** Of the headers of every answer those that say something to whoever keeps or shows it. */
const PROTECTING = [
  "cache-control",
  "content-security-policy",
  "referrer-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-frame-options",
];

/** A JWT without a signature, which the provider would call unsupported. */
const JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.";

/** The members of an answer to an introspection, as they are told to whoever writes a caller. */
function introspectionMembers(): readonly string[] {
  const document = readFileSync("packages/auth/BANK-INTERFACES.md", "utf8");
  const chapter = /^## Introspection$([\s\S]*?)^## /m.exec(document)?.[1] ?? "";
  const named = [...chapter.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = ""]) => cell);
  return named.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

describe("The bank listener of auth", () => {
  let auth: RunningAuth;
  let application: TestApplication;
  let signedInAt: number;
  let tokens: Tokens;
  before(async () => {
    auth = await runAuth();
    application = await register(auth);
    const code = await codeFor(auth, application);
    signedInAt = Math.floor(auth.clock.now().getTime() / 1000);
    tokens = JSON.parse((await redeem(auth, application, code)).body);
  });
  after(() => auth.stop());

  it("describes a token in an answer signed for resource (RFC 7662, RFC 9701)", async () => {
    const answer = await introspect(auth, tokens.access_token, SIGNED);
    expect(answer.headers["content-type"]).to.match(/^application\/token-introspection\+jwt/);
    const keys = JSON.parse((await auth.callAsBank({ path: "/oauth/jwks" })).body);
    const { payload } = await jwtVerify(answer.body, createLocalJWKSet(keys), {
      issuer: ISSUER,
      audience: "resource",
      typ: "token-introspection+jwt",
      algorithms: ["ES256"],
    });
    const described = payload.token_introspection as Record<string, unknown>;
    expect(described).to.have.all.keys(
      ...["active", "token_type", "scope", "client_id", "sub", "aud", "iat", "exp", "iss", "cnf"],
      ...["consent_id", "organisation_identifier", "account_ids", "consented_services", "auth_time"],
    );
    expect(introspectionMembers(), "as BANK-INTERFACES.md has them").to.have.members(Object.keys(described));
    const { thumbprint, organisationIdentifier } = auth.tpp("aisp-pisp");
    expect(described).to.deep.include({
      active: true,
      token_type: "Bearer",
      scope: "aisp",
      sub: "psu-jana",
      aud: RESOURCE_SERVER,
      cnf: { "x5t#S256": thumbprint },
      organisation_identifier: organisationIdentifier,
      account_ids: ["account-1", "account-2"],
      consented_services: ["aisp"],
    });
  });

  it("says when the PSU was authenticated for the consent, however often the token is renewed (RFC 9470 6.2)", async () => {
    auth.clock.advance(120_000);
    const refreshed = await refresh(auth, application, tokens.refresh_token);
    const { access_token } = JSON.parse(refreshed.body);
    const answer = await introspect(auth, access_token, { accept: "application/json" });
    expect(JSON.parse(answer.body)).to.include({ active: true, auth_time: signedInAt });
  });

  it("describes refresh tokens and made-up tokens only as inactive (RFC 7662 2.2)", async () => {
    for (const token of [tokens.refresh_token, "made-up", `${tokens.access_token}a`, JWT]) {
      const answer = await introspect(auth, token, { accept: "application/json" });
      expect(JSON.parse(answer.body)).to.deep.equal({ active: false });
    }
  });

  it("publishes no private part of a key", async () => {
    const { body } = await auth.browse({ path: "/oauth/jwks" });
    for (const key of JSON.parse(body).keys)
      expect(key).to.have.all.keys("kty", "use", "kid", "alg", "crv", "x", "y");
  });

  it("refuses callers that the configuration does not name (403), even with a valid token", async () => {
    const body = `token=${tokens.access_token}&client_id=resource`;
    const call = { method: "POST", path: INTROSPECTION, headers: SIGNED, body };
    const answer = await auth.callAsBank(call, "operator");
    expect(answer.status).to.equal(403);
    expect(auth.lastCall().refusal).to.equal("caller_unknown");
    expect((await auth.callAsBank({ path: "/operator/stop-list" }, "operator")).status).to.equal(403);
  });

  it("refuses a client_id that does not belong to the caller's certificate (RFC 8705 2.1)", async () => {
    const body = `token=${tokens.access_token}&client_id=auth`;
    const answer = await auth.callAsBank({ method: "POST", path: INTROSPECTION, headers: SIGNED, body });
    expect([answer.status, JSON.parse(answer.body).error]).to.deep.equal([401, "invalid_client"]);
  });

  it("ends the handshake of a caller without a certificate of the private CA", async () => {
    const ca = readFileSync(auth.certificates.privateCaFile);
    const bare = await rejectionOf(send({ port: auth.ports.bank, path: "/oauth/jwks", ca }));
    expect(bare.message).to.match(/alert|ECONNRESET|socket/i);
    const { certificateFile, keyFile } = auth.tpp("aisp-pisp");
    const shown = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    const foreign = await rejectionOf(send({ port: auth.ports.bank, path: "/oauth/jwks", ca, ...shown }));
    expect(foreign.message).to.match(/alert|ECONNRESET|socket/i);
  });
});

describe("The listeners of auth", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  it("serve only their own paths: no introspection for TPPs, no registration for browsers", async () => {
    const form = { method: "POST", headers: FORM_BODY, body: "token=a" };
    expect((await auth.call({ ...form, path: INTROSPECTION })).status).to.equal(404);
    expect((await auth.browse({ ...form, path: INTROSPECTION })).status).to.equal(404);
    expect((await auth.browse({ path: APPLICATIONS })).status).to.equal(401);
    expect((await auth.callAsBank({ path: APPLICATIONS })).status).to.equal(404);
    expect((await auth.call({ path: "/.well-known/openid-configuration" })).status).to.equal(404);
  });

  it("refuse a foreign Host header, which could change the addresses in answers (421)", async () => {
    for (const call of [auth.browse, auth.call]) {
      expect((await call({ path: "/oauth/jwks", headers: { host: "evil.example" } })).status).to.equal(421);
    }
    const answer = await auth.call({ path: APPLICATIONS, headers: { host: "127.0.0.1:8444" } });
    expect(JSON.parse(answer.body).error_description).to.contain("use https://localhost:8444");
  });

  it("use the host of an absolute request URL instead of the Host header, on pages too (RFC 9112 3.2.2)", async () => {
    const path = `${ISSUER}/authenticator`;
    const page = await auth.browse({ path, headers: { host: "evil.example" } });
    expect(page.status).to.equal(200);
    expect(page.body).to.contain("localhost:8443").and.not.contain("evil.example");
  });

  it("report headers of more than 16 kB as too large, not as malformed HTTP (431, RFC 6585 5)", async () => {
    const call = { path: "/oauth/jwks", headers: { "x-big": "a".repeat(20_000) } };
    for (const answer of [await auth.call(call), await auth.browse(call), await auth.callAsBank(call)]) {
      expect(answer.status).to.equal(431);
      const error_description = "the header fields are too large";
      expect(JSON.parse(answer.body)).to.deep.equal({ error: "invalid_request", error_description });
    }
  });

  it("send the same protecting headers with a 431 as with other answers: no caching, no framing, TLS only", async () => {
    const standing = (await auth.call({ path: "/nowhere" })).headers;
    const call = { path: "/nowhere", headers: { "x-big": "a".repeat(20_000) } };
    for (const { headers } of [await auth.call(call), await auth.browse(call)])
      for (const name of PROTECTING) expect(headers[name], name).to.be.a("string").and.equal(standing[name]);
  });

  it("publish true metadata at both addresses (RFC 8414 2)", async () => {
    const paths = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
    const [one, other] = await Promise.all(paths.map((path) => auth.browse({ path })));
    expect(one?.body).to.equal(other?.body);
    const metadata = JSON.parse(one?.body ?? "");
    expect(metadata.issuer).to.equal(ISSUER);
    const aliases = {
      token_endpoint: "https://localhost:8444/oauth/token",
      revocation_endpoint: "https://localhost:8444/oauth/revoke",
      pushed_authorization_request_endpoint: "https://localhost:8444/oauth/par",
    };
    expect(metadata).to.deep.include({ ...aliases, mtls_endpoint_aliases: aliases });
    expect(metadata).to.include({ request_uri_parameter_supported: false });
    for (const name of ["authorization_endpoint", "jwks_uri"]) {
      const answer = await auth.browse({ path: metadata[name].replace(ISSUER, "") });
      expect(answer.status, name).to.be.oneOf([200, 400]);
    }
    for (const address of Object.values(aliases)) {
      const path = address.replace("https://localhost:8444", "");
      const answer = await auth.call({ method: "POST", path, headers: FORM_BODY, body: "" });
      expect(JSON.parse(answer.body).error).to.equal("invalid_request");
    }
  });

  it("answer an unknown path of the browser host with a page", async () => {
    const answer = await auth.browse({ path: "/nothing", headers: { accept: "text/html" } });
    expect(answer.status).to.equal(404);
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
  });
});
