import { generateKeyPairSync } from "node:crypto";
import {
  parseApplicationRegistration,
  RegistrationRefusal,
  readBalanceCheck,
  SCOPES,
} from "@cobs/cobs-model";
import { expect } from "chai";
import { presentDiscovery } from "../../packages/auth/src/http/discovery-document.ts";
import { faultsBySchema } from "./check-answer.ts";
import { lookUp } from "./interface-document.ts";

const HOSTS = {
  issuer: "https://bank.example",
  authApi: "https://api.bank.example",
  resourceServer: "https://api.bank.example/cobs/2.0",
};
const QUESTION = {
  debtorAccount: { identification: { iban: "CZ3299000000002000000018" } },
  transactionDetails: { currency: "CZK", totalAmount: 1200 },
};

const REGISTRATION = {
  applicationType: "web",
  client_name: "Moje peněženka",
  redirect_uris: ["https://tpp.example/callback"],
};
const KEY = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });

/** Whether a registration is taken. */
function isRegistered(body: unknown): boolean {
  try {
    parseApplicationRegistration(body);
    return true;
  } catch (error) {
    if (error instanceof RegistrationRefusal) return false;
    throw error;
  }
}

describe("the schemas of requests, compared with their parsers", () => {
  it("accept the same numbers as the id of a question (COBS 3.2.3, A-74)", () => {
    for (const exchangeIdentification of [-1, 0, 1, 1.5, 999_999_999_999_999, 1e17, 1e18]) {
      const question = { ...QUESTION, exchangeIdentification };
      const told = faultsBySchema("#/components/schemas/BalanceCheckQuestion", question);
      const { faults } = readBalanceCheck(question);
      expect(told.length > 0, String(exchangeIdentification)).to.equal(faults.length > 0);
    }
  });

  it("accept the same keys of applications, whatever alg, use, kid and kty they have (RFC 7517, FAPI 2.0 5.4.1)", () => {
    for (const said of [
      ...[{}, { alg: "ES256" }, { use: "sig" }, { kid: "one" }, { kid: "a".repeat(255) }, { alg: "RS256" }],
      ...[{ alg: "PS512" }, { alg: "ES384" }, { alg: null }, { use: "enc" }, { use: null }],
      ...[{ kid: "a".repeat(256) }, { kid: 1 }, { kty: "oct" }, { kty: undefined }],
    ]) {
      const jwks = { keys: [{ ...KEY, ...said }] };
      const registration = { ...REGISTRATION, token_endpoint_auth_method: "private_key_jwt", jwks };
      const told = faultsBySchema("#/components/schemas/ApplicationRegistration", registration);
      expect(told.length > 0, JSON.stringify(said)).to.equal(!isRegistered(registration));
    }
  });

  it("name the algorithms with which an application signs, in its keys and its assertion (FAPI 2.0 5.4.1)", () => {
    const set = lookUp("#/components/schemas/ApplicationRegistration/properties/jwks");
    const { enum: algorithms } = Object(
      lookUp(
        "#/components/schemas/ApplicationRegistration/properties/jwks/properties/keys/items/properties/alg",
      ),
    );
    const { token_endpoint_auth_signing_alg_values_supported: supported } = presentDiscovery(
      HOSTS,
      false,
      SCOPES,
    );
    expect(supported).to.have.members(algorithms);
    expect(set).to.have.property("description").that.includes("`RS256`").and.includes("`kid`");
    for (const algorithm of algorithms)
      for (const request of ["TokenRequest", "PushedRequest", "RevocationRequest"])
        expect(lookUp(`#/components/schemas/${request}/properties/client_assertion/description`)).to.include(
          `\`${algorithm}\``,
        );
  });

  it("set the same limits to the members of an application (COBS PDF 1.4.1.1)", () => {
    const place = "#/components/schemas/ApplicationRegistration";
    const longUri = (length: number) => "https://tpp.example/".padEnd(length, "a");
    const key = (kid: number) => ({ ...KEY, kid: String(kid) });
    const byKey = { token_endpoint_auth_method: "private_key_jwt" };
    const list = <T>(length: number, of: (index: number) => T) =>
      Array.from({ length }, (_, index) => of(index));
    const members: Readonly<Record<string, (length: number) => object>> = {
      client_name: (length) => ({ client_name: "a".repeat(length) }),
      contact: (length) => ({ contact: `${`a@${"aa.".repeat(200)}`.slice(0, length - 1)}a` }),
      logo_uri: (length) => ({ logo_uri: longUri(length) }),
      jwks_uri: (length) => ({ ...byKey, jwks_uri: longUri(length) }),
      redirect_uris: (length) => ({ redirect_uris: list(length, (index) => `${longUri(30)}${index}`) }),
      "redirect_uris/items": (length) => ({ redirect_uris: [longUri(length)] }),
      "jwks/properties/keys": (length) => ({ ...byKey, jwks: { keys: list(length, key) } }),
    };
    for (const [member, write] of Object.entries(members)) {
      const { maxLength, maxItems } = Object(lookUp(`${place}/properties/${member}`));
      const most = maxLength ?? maxItems;
      for (const [length, isRight] of [
        [most, true],
        [most + 1, false],
      ]) {
        const registration = { ...REGISTRATION, ...write(length) };
        expect(isRegistered(registration), `${member} of ${length}`).to.equal(isRight);
        expect(faultsBySchema(place, registration).length === 0, `${member} of ${length}`).to.equal(isRight);
      }
    }
  });
});
