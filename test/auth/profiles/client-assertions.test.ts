import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from "jose";
import { NOT_BELIEVED } from "../../../packages/auth/src/provider/client-refusal.ts";
import { openOutsideServer } from "../../support/outside-server.ts";
import { expectError } from "../expect-error.ts";
import { ISSUER, type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY, register } from "../test-application.ts";
import {
  type Fapi2Application,
  postAs,
  pushedFields,
  registerWithCertificate,
  registerWithKey,
} from "./fapi2-application.ts";

const TRIES = 50;
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const now = () => Math.floor(Date.now() / 1000);

describe("Client assertions (RFC 7523, FAPI 2.0 5.3.2.1)", function assertions() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: Fapi2Application;
  before(async () => {
    auth = await runAuth();
    application = await registerWithKey(auth);
  });
  after(() => auth.stop());

  /** A call that succeeds for whoever is believed: a token that nobody knows counts as revoked (RFC 7009 2.2). */
  const revoke = (
    credentials: Readonly<Record<string, string>>,
    { certificate = "aisp-pisp", server = auth }: { certificate?: string | null; server?: RunningAuth } = {},
  ) => {
    const body = new URLSearchParams({ ...credentials, token: "none" }).toString();
    return server.call({ certificate, method: "POST", path: "/oauth/revoke", headers: FORM_BODY, body });
  };
  const revokeWith = async (changed: Readonly<Record<string, unknown>>) =>
    revoke(await application.credentials(changed));

  for (const alg of ["ES256", "PS256", "EdDSA"] as const) {
    it(`are taken with ${alg}, with and without the client_id beside them`, async () => {
      const signing = await registerWithKey(auth, { alg });
      expect((await revoke(await signing.credentials())).status).to.equal(200);
      const { client_id } = signing;
      expect((await revoke({ ...(await signing.credentials()), client_id })).status).to.equal(200);
    });
  }

  it("are taken when the TPP's clock is ten seconds ahead (FAPI 2.0 5.3.2.1)", async () => {
    expect((await revokeWith({ nbf: now() + 10 })).status).to.equal(200);
    expect((await revokeWith({ iat: now() + 10 })).status).to.equal(200);
  });

  it("are taken without iat and nbf, which RFC 7523 leaves open", async () => {
    expect((await revokeWith({ iat: undefined })).status).to.equal(200);
  });

  const refused: readonly (readonly [string, () => Readonly<Record<string, unknown>>])[] = [
    ["for the token endpoint", () => ({ aud: "https://localhost:8444/oauth/token" })],
    ["for the endpoint that was called", () => ({ aud: "https://localhost:8444/oauth/revoke" })],
    ["for the token endpoint of the issuer's host", () => ({ aud: `${ISSUER}/oauth/token` })],
    ["for the issuer with a slash", () => ({ aud: `${ISSUER}/` })],
    ["for the issuer in an array", () => ({ aud: [ISSUER] })],
    ["for the issuer and somebody else", () => ({ aud: [ISSUER, "https://other.example"] })],
    ["without an audience", () => ({ aud: undefined })],
    ["without exp", () => ({ exp: undefined })],
    ["with exp a minute ago", () => ({ exp: now() - 60 })],
    ["with exp a day ahead", () => ({ exp: now() + 86_400 })],
    ["with exp as text", () => ({ exp: "soon" })],
    ["with nbf a minute ahead", () => ({ nbf: now() + 61 })],
    ["with iat a minute ahead", () => ({ iat: now() + 61 })],
    ["with iat as text", () => ({ iat: "now" })],
    ["without jti", () => ({ jti: undefined })],
    ["with a number as jti", () => ({ jti: 7 })],
    ["of another issuer", () => ({ iss: "other" })],
    ["without iss", () => ({ iss: undefined })],
  ];
  for (const [name, changed] of refused) {
    it(`are refused ${name} (401 invalid_client)`, async () => {
      expectError(await revokeWith(changed()), 401, "invalid_client");
    });
  }

  it("are refused with the exact fault if the application's key signed them, else in general words", async () => {
    const told = async (changed: Readonly<Record<string, unknown>>) => {
      const answer = await revokeWith(changed);
      expectError(answer, 401, "invalid_client");
      return JSON.parse(answer.body).error_description;
    };
    const failed = "client authentication failed: ";
    const wrongAudience = `${failed}aud of the assertion must be the issuer as a single string: ${ISSUER}`;
    expect(await told({ aud: "https://localhost:8444/oauth/token" })).to.equal(wrongAudience);
    expect(await told({ aud: [ISSUER] })).to.equal(wrongAudience);
    expect(await told({ iat: now() + 61 })).to.equal(
      `${failed}iat of the assertion is more than 15 s ahead of the bank's clock`,
    );
    expect(await told({ exp: now() + 86_400 })).to.equal(
      `${failed}exp of the assertion is more than 3600 s ahead of the bank's clock`,
    );
    const jti = randomUUID();
    await revokeWith({ jti });
    expect(await told({ jti })).to.equal(
      `${failed}the assertion has already been used: send a new one, with a new jti, on each call`,
    );

    const stranger = await registerWithKey(auth);
    const { client_id } = application;
    const signedByOther = await stranger.credentials({ iss: client_id, sub: client_id, aud: [ISSUER] });
    const refused = await revoke(signedByOther);
    expectError(refused, 401, "invalid_client");
    expect(JSON.parse(refused.body).error_description).to.equal(NOT_BELIEVED);
  });

  it("are refused without a sub, or with another client_id beside them (400 invalid_request)", async () => {
    expectError(await revokeWith({ sub: undefined }), 400, "invalid_request");
    expectError(await revokeWith({ sub: [application.client_id] }), 400, "invalid_request");
    const { client_id } = await registerWithKey(auth);
    expectError(await revoke({ ...(await application.credentials()), client_id }), 400, "invalid_request");
  });

  it("are refused for an unknown application (401 invalid_client)", async () => {
    const unknown = "AAAAAAAAAAAAAAAAAAAAAA";
    expectError(await revokeWith({ sub: unknown, iss: unknown }), 401, "invalid_client");
  });

  it("are refused with a certificate of another TPP, and without one (401 invalid_client)", async () => {
    for (const certificate of ["second-tpp", null]) {
      expectError(await revoke(await application.credentials(), { certificate }), 401, "invalid_client");
    }
  });

  it("are taken with every certificate of their TPP", async () => {
    const certificate = "all-roles-renewed";
    expect((await revoke(await application.credentials(), { certificate })).status).to.equal(200);
  });

  describe("with a wrong signature (401 invalid_client)", () => {
    const claims = () => ({
      iss: application.client_id,
      sub: application.client_id,
      aud: ISSUER,
      jti: randomUUID(),
      exp: now() + 60,
    });
    const sign = async (header: JWTHeaderParameters, key: Parameters<SignJWT["sign"]>[0]) => ({
      client_assertion_type: TYPE,
      client_assertion: await new SignJWT(claims()).setProtectedHeader(header).sign(key),
    });

    it("are refused when another key signed, and no address in their header is called", async () => {
      const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
      const jwk = await exportJWK(publicKey);
      const outside = await openOutsideServer((_request, response) =>
        response.end(JSON.stringify({ keys: [jwk] })),
      );
      try {
        const address = `http://127.0.0.1:${outside.port}/jwks`;
        for (const header of [{}, { jwk }, { jku: address, x5u: address, kid: "attacker" }]) {
          expectError(
            await revoke(await sign({ alg: "ES256", ...header }, privateKey)),
            401,
            "invalid_client",
          );
        }
        expect(outside.connections).to.equal(0);
      } finally {
        outside.close();
      }
    });

    it("are refused when unsigned, signed with a known secret, or by an algorithm that FAPI does not name", async () => {
      const unsigned = { client_assertion_type: TYPE, client_assertion: new UnsecuredJWT(claims()).encode() };
      expectError(await revoke(unsigned), 401, "invalid_client");
      const secret = Buffer.from(application.client_id.padEnd(32));
      expectError(await revoke(await sign({ alg: "HS256" }, secret)), 401, "invalid_client");
      for (const alg of ["RS256", "ES384"]) {
        const { privateKey } = await generateKeyPair(alg);
        expectError(await revoke(await sign({ alg }, privateKey)), 401, "invalid_client");
      }
    });

    it("are refused when a part was changed, and malformed ones too (400 without a client_id)", async () => {
      const { client_assertion = "", ...rest } = await application.credentials();
      const [header, , signature] = client_assertion.split(".");
      const other = Buffer.from(JSON.stringify({ ...claims(), jti: "other" })).toString("base64url");
      expectError(
        await revoke({ ...rest, client_assertion: `${header}.${other}.${signature}` }),
        401,
        "invalid_client",
      );
      for (const client_assertion of ["", "a.b.c", "e30.e30.e30", "\u0000"])
        expectError(await revoke({ ...rest, client_assertion }), 400, "invalid_request");
    });

    it("are refused with another type, or beside another authentication (400 invalid_request)", async () => {
      const credentials = await application.credentials();
      const type = "urn:ietf:params:oauth:client-assertion-type:saml2-bearer";
      expectError(await revoke({ ...credentials, client_assertion_type: type }), 400, "invalid_request");
      expectError(await revoke({ ...credentials, client_secret: "secret" }), 400, "invalid_request");
    });
  });

  describe("as the only way in (401 invalid_client)", () => {
    it("are required of an application with a key: its certificate or a secret is not enough", async () => {
      const { client_id } = application;
      expectError(await revoke({ client_id }), 401, "invalid_client");
      expectError(await revoke({ client_id, client_secret: "" }), 401, "invalid_client");
      expectError(await revoke({ client_id, client_secret: "secret" }), 401, "invalid_client");
    });

    it("open no application that has a secret or authenticates with its certificate", async () => {
      const cobs = await register(auth);
      const withCertificate = await registerWithCertificate(auth);
      for (const { client_id } of [cobs, withCertificate]) {
        const credentials = await application.credentials({ iss: client_id, sub: client_id });
        expectError(await revoke(credentials), 401, "invalid_client");
      }
    });

    it("are not required of one that uses its certificate, which takes no secret (RFC 8705 2.1)", async () => {
      const { client_id } = await registerWithCertificate(auth);
      expect((await revoke({ client_id })).status).to.equal(200);
      expect((await revoke({ client_id }, { certificate: "all-roles-renewed" })).status).to.equal(200);
      expectError(await revoke({ client_id }, { certificate: "second-tpp" }), 401, "invalid_client");
      expectError(await revoke({ client_id }, { certificate: null }), 401, "invalid_client");
      expectError(await revoke({ client_id, client_secret: client_id }), 401, "invalid_client");
    });
  });

  describe("that may be used once", () => {
    it("are refused the second time, also at another endpoint (401 invalid_client)", async () => {
      const credentials = await application.credentials();
      const pushed = { ...pushedFields(application), ...credentials };
      expect((await postAs(auth, application, "/oauth/par", pushed)).status).to.equal(201);
      expectError(await postAs(auth, application, "/oauth/par", pushed), 401, "invalid_client");
      expectError(await revoke(credentials), 401, "invalid_client");
    });

    it("are not used up by a call that was refused", async () => {
      const credentials = await application.credentials();
      expectError(await revoke(credentials, { certificate: "second-tpp" }), 401, "invalid_client");
      expect((await revoke(credentials)).status).to.equal(200);
    });

    it("may have the same jti as another application's", async () => {
      const jti = randomUUID();
      const other = await registerWithKey(auth);
      expect((await revoke(await application.credentials({ jti }))).status).to.equal(200);
      expect((await revoke(await other.credentials({ jti }))).status).to.equal(200);
      expectError(await revoke(await application.credentials({ jti })), 401, "invalid_client");
    });

    it("succeed once of fifty parallel calls to two processes", async () => {
      const second = await runAuth({}, auth);
      try {
        const credentials = await application.credentials();
        const servers = Array.from({ length: TRIES }, (_, index) => (index % 2 === 0 ? auth : second));
        const answers = await Promise.all(servers.map((server) => revoke(credentials, { server })));
        const losers = answers.filter(({ status }) => status !== 200);
        expect(losers).to.have.length(TRIES - 1);
        for (const answer of losers) expectError(answer, 401, "invalid_client");
      } finally {
        await second.stop();
      }
    });

    it("are remembered beyond their end, for a process whose clock is behind (CLK-02)", async () => {
      const exp = now() + 300;
      expect((await revoke(await application.credentials({ exp }))).status).to.equal(200);
      const text = `SELECT extract(epoch FROM max(expires_at))::float AS until FROM ephemeral_record
        WHERE kind = 'ReplayDetection' AND expires_at < now() + interval '11 minutes'`;
      const [mark] = await auth.database.run<{ until: number }>({ name: "mark", text, values: [] });
      expect(mark?.until).to.be.at.least(exp + 300);
    });

    it("leave nothing in the database or the log that could be used again", async () => {
      const jti = randomUUID();
      const credentials = await application.credentials({ jti });
      expect((await revoke(credentials)).status).to.equal(200);
      const text = "SELECT e::text AS row FROM ephemeral_record e";
      const rows = await auth.database.run<{ row: string }>({ name: "marks", text, values: [] });
      for (const kept of [JSON.stringify(auth.logLines), rows.map(({ row }) => row).join()]) {
        expect(kept).not.to.contain(jti);
        expect(kept).not.to.contain(credentials.client_assertion);
      }
    });
  });
});
