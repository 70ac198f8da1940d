import { generateKeyPairSync, type JsonWebKey, randomUUID, sign } from "node:crypto";
import { expect } from "chai";
import { expectError } from "../expect-error.ts";
import { ISSUER, type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY, register } from "../test-application.ts";
import { registerWithKey } from "./fapi2-application.ts";

const now = () => Math.floor(Date.now() / 1000);
const NBF = "nbf of the assertion is not a number, or more than 15 s ahead of the bank's clock";
const AUD = `aud of the assertion must be the issuer as a single string: ${ISSUER}`;

/** What an assertion says wrong of itself, and what it is told. A table. */
const UNFIT: readonly (readonly [fault: string, changed: () => Readonly<Record<string, unknown>>])[] = [
  ["iss and sub of the assertion must both be the client_id", () => ({ iss: undefined })],
  ["iss and sub of the assertion must both be the client_id", () => ({ iss: "other" })],
  ["jti of the assertion is missing, empty or not a string", () => ({ jti: undefined })],
  ["jti of the assertion is missing, empty or not a string", () => ({ jti: 7 })],
  ["jti of the assertion is missing, empty or not a string", () => ({ jti: "" })],
  ["exp of the assertion is missing or not a number", () => ({ exp: undefined })],
  ["exp of the assertion is missing or not a number", () => ({ exp: "soon" })],
  ["exp of the assertion has passed by the bank's clock", () => ({ exp: now() - 60 })],
  ["iat of the assertion is not a number", () => ({ iat: "now" })],
  [NBF, () => ({ nbf: "now" })],
  [NBF, () => ({ nbf: now() + 61 })],
  [AUD, () => ({ aud: undefined })],
  [AUD, () => ({ aud: `${ISSUER}/` })],
];

describe("Assertions with a claim that is missing, over or wrong (RFC 7523 3)", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  it("are refused with the exact fault, in the same words whoever has signed them", async () => {
    const [application, stranger] = [await registerWithKey(auth), await registerWithKey(auth)];
    const { client_id, certificate } = application;
    const told = async (credentials: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ ...credentials, token: "none" }).toString();
      const request = { certificate, method: "POST", path: "/oauth/revoke", headers: FORM_BODY, body };
      const answer = await auth.call(request);
      expectError(answer, 401, "invalid_client");
      return JSON.parse(answer.body).error_description;
    };
    for (const [fault, changed] of UNFIT) {
      const own = await application.credentials(changed());
      const byOther = await stranger.credentials({ iss: client_id, sub: client_id, ...changed() });
      for (const credentials of [own, byOther])
        expect(await told(credentials)).to.equal(`client authentication failed: ${fault}`);
    }
  });

  it("are refused when two readers could understand them differently, though signed (RFC 8725 2.4, RFC 7797 7)", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk: JsonWebKey = publicKey.export({ format: "jwk" });
    const { client_id } = await register(auth, {
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [jwk] },
    });
    const revoke = (header: string, claims: string) => {
      const signed = [header, claims].map((part) => Buffer.from(part).toString("base64url")).join(".");
      const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
      const body = new URLSearchParams({
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: `${signed}.${signature.toString("base64url")}`,
        token: "none",
      }).toString();
      return auth.call({ method: "POST", path: "/oauth/revoke", headers: FORM_BODY, body });
    };
    const header = '{"alg":"ES256"}';
    const claims = (more = "") => {
      const right = { iss: client_id, sub: client_id, aud: ISSUER, jti: randomUUID(), exp: now() + 60 };
      return `${JSON.stringify(right).slice(0, -1)}${more}}`;
    };
    const nested = (levels: number) => `,"x":${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect((await revoke(header, claims(nested(31)))).status).to.equal(200);
    const structure = "repeats a member name, has one named __proto__, or is nested deeper than 32 levels";
    const ambiguous: readonly (readonly [string, string, string])[] = [
      [header, claims(nested(32)), structure],
      [header, claims(nested(15_000)), structure],
      [header, claims(`,"sub":"${client_id}"`), structure],
      [header, claims(',"__proto__":{}'), structure],
      ['{"alg":"none","alg":"ES256"}', claims(), structure],
      ['{"alg":"ES256","b64":false,"crit":["b64"]}', claims(), "has crit or b64"],
      ['{"alg":"ES256","b64":false}', claims(), "has crit or b64"],
      ['{"alg":"ES256","kid":{}}', claims(), "kid in the header of the assertion is not a string"],
    ];
    for (const [head, said, fault] of ambiguous) {
      const answer = await revoke(head, said);
      expectError(answer, 401, "invalid_client");
      expect(JSON.parse(answer.body).error_description).to.contain(fault);
      expect(auth.lastCall().refusal).to.equal("assertion_ambiguous");
    }
  });
});
