import { expect } from "chai";
import { expectError } from "../expect-error.ts";
import { ISSUER, type RunningAuth, runAuth } from "../running-auth.ts";
import { FORM_BODY } from "../test-application.ts";
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
});
