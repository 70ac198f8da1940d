import { generateKeyPairSync, type JsonWebKey, type KeyObject } from "node:crypto";
import {
  findPublishedJwks,
  parseApplicationRegistration,
  RegistrationRefusal,
  thumbprintOfJwk,
} from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { startComputing } from "../support/stopwatch.ts";

const BODY = {
  applicationType: "web",
  client_name: "Moje peněženka",
  redirect_uris: ["https://tpp.example/cb"],
  token_endpoint_auth_method: "private_key_jwt",
};
const jwkOf = (key: KeyObject) => key.export({ format: "jwk" });
const exponent = (value: bigint) => {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex").toString("base64url");
};
/** The same number, written with an octet too many. */
const withZero = (number = "") =>
  Buffer.concat([Buffer.alloc(1), Buffer.from(number, "base64url")]).toString("base64url");
/** The same octets, for readers who pass over the bits that are left over: of 43 signs the last has two. */
const withOtherBits = (coordinate = "") => {
  const same = (sign: string) => Buffer.from(coordinate.slice(0, -1) + sign, "base64url");
  const other = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].find(
    (sign) => !coordinate.endsWith(sign) && same(sign).equals(Buffer.from(coordinate, "base64url")),
  );
  return `${coordinate.slice(0, -1)}${other}`;
};
/** An odd number of so many bits: whether it is a product of two primes is not looked at. */
const modulus = (bits: number) => exponent(2n ** BigInt(bits) - 1n);
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const ed25519 = generateKeyPairSync("ed25519");
const EC = jwkOf(ec.publicKey);
const RSA = jwkOf(rsa.publicKey);
const ED25519 = jwkOf(ed25519.publicKey);

function faultsOf(jwks: unknown): readonly string[] {
  try {
    parseApplicationRegistration({ ...BODY, ...(jwks === undefined ? {} : { jwks }) });
  } catch (error) {
    if (!(error instanceof RegistrationRefusal)) throw error;
    return error.faults.map(({ code, path }) => `${code} ${path}`);
  }
  return [];
}

const faultsOfKey = (key: unknown) => faultsOf({ keys: [key] });

describe("the keys of an application (RFC 7517, FAPI 2.0 5.4.1)", () => {
  for (const [name, key] of [
    ["P-256", EC],
    ["RSA with 2048 bits", RSA],
    ["RSA with 8192 bits", { ...RSA, n: modulus(8_192) }],
    ["RSA with an exponent of 64 bits", { ...RSA, e: exponent(2n ** 64n - 1n) }],
    ["Ed25519", ED25519],
  ] as const) {
    it(`are accepted when they are ${name}`, () => {
      const jwks = { keys: [{ ...key, kid: "2026" }] };
      expect(parseApplicationRegistration({ ...BODY, jwks }).jwks).to.deep.equal(jwks);
    });
  }

  it("are stored without members that do not describe the key itself", () => {
    const more = { use: "sig", key_ops: ["verify"], x5c: ["MII"], note: "ours", alg: "ES256" };
    expect(
      parseApplicationRegistration({ ...BODY, jwks: { keys: [{ ...EC, ...more }] } }).jwks,
    ).to.deep.equal({
      keys: [{ ...EC, alg: "ES256" }],
    });
  });

  it("are required of an application that authenticates with one (RFC 7523 3)", () => {
    expect(faultsOf(undefined)).to.deep.equal(["invalid_request jwks"]);
    expect(faultsOf(null)).to.deep.equal(["invalid_request jwks"]);
  });

  const weak = (type: "ec" | "rsa") =>
    type === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey
      : generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey;
  const refused: [string, JsonWebKey | unknown][] = [
    ["a private key", jwkOf(ec.privateKey)],
    ["a private RSA key", jwkOf(rsa.privateKey)],
    ["a shared secret", { kty: "oct", k: "c2VjcmV0" }],
    ["a curve that FAPI does not name", jwkOf(weak("ec"))],
    ["RSA with 1024 bits", jwkOf(weak("rsa"))],
    ["RSA with 2047 bits", { ...RSA, n: modulus(2_047) }],
    ["RSA with 8193 bits", { ...RSA, n: modulus(8_193) }],
    ["RSA with the exponent 3", { ...RSA, e: "Aw" }],
    ["RSA with an exponent below 65537", { ...RSA, e: exponent(2n ** 16n - 1n) }],
    ["RSA with an even exponent", { ...RSA, e: exponent(2n ** 64n - 2n) }],
    ["RSA with an exponent of 65 bits", { ...RSA, e: exponent(2n ** 64n + 1n) }],
    ["X25519", jwkOf(generateKeyPairSync("x25519").publicKey)],
    ["Ed448", jwkOf(generateKeyPairSync("ed448").publicKey)],
    ["a point that is not on its curve", { ...EC, y: EC.x }],
    ["a coordinate with a byte too many", { ...EC, x: `AA${EC.x}` }],
    ["padding", { ...EC, x: `${EC.x}=` }],
    ["a coordinate whose last sign has bits too many (RFC 4648 3.5)", { ...EC, x: withOtherBits(EC.x) }],
    ["a modulus with a zero before it (RFC 7518 6.3.1.1)", { ...RSA, n: withZero(RSA.n) }],
    ["an exponent with a zero before it (RFC 7518 2)", { ...RSA, e: withZero(RSA.e) }],
    ["a key to encrypt with", { ...EC, use: "enc" }],
    ["a key that may not verify", { ...EC, key_ops: ["sign"] }],
    ["a key whose operations are no list", { ...EC, key_ops: "verify" }],
    ["an algorithm of another kind of key", { ...EC, alg: "PS256" }],
    ["RS256, which FAPI does not name", { ...RSA, alg: "RS256" }],
    ["a kid that is no text", { ...EC, kid: 7 }],
    ["a kid that is a list of one text", { ...EC, kid: ["a"] }],
    ["a kid of 256 characters", { ...EC, kid: "a".repeat(256) }],
    ["a kid with a control character", { ...EC, kid: "a\n" }],
    ["text", "key"],
    ["nothing", null],
  ];
  for (const member of ["d", "p", "q", "dp", "dq", "qi", "oth"])
    refused.push([`a key beside what is private, ${member} (RFC 7518 6.3.2)`, { ...RSA, [member]: "AQAB" }]);
  for (const [name, key] of refused) {
    it(`are refused: ${name}`, () => {
      expect(faultsOfKey(key)).to.deep.equal(["invalid_request jwks.keys[0]"]);
    });
  }

  it("are refused with the allowed use and alg if only those are wrong, as with RS256 on an RSA key", () => {
    const messageOf = (key: unknown) => {
      try {
        parseApplicationRegistration({ ...BODY, jwks: { keys: [key] } });
      } catch (error) {
        if (error instanceof RegistrationRefusal) return error.faults[0]?.message;
        throw error;
      }
      return "";
    };
    for (const key of [
      { ...RSA, alg: "RS256" },
      { ...EC, use: "enc" },
      { ...EC, kid: 7 },
    ])
      expect(messageOf(key)).to.include("alg must be ES256 (P-256), EdDSA (Ed25519) or PS256 (RSA)");
    expect(messageOf({ ...jwkOf(weak("rsa")), alg: "RS256" })).to.include("RSA of 2048 to 8192 bits");
  });

  it("may have a kid of 255 characters", () => {
    expect(faultsOf({ keys: [{ ...EC, kid: "a".repeat(255) }] })).to.deep.equal([]);
  });

  it("number one to ten, with distinct kids if there are several (FAPI 2.0 5.6.3)", () => {
    const named = (count: number) => Array.from({ length: count }, (_, kid) => ({ ...EC, kid: `${kid}` }));
    expect(faultsOf({ keys: named(10) })).to.deep.equal([]);
    const unnamed = [...named(1), ED25519];
    for (const keys of [
      [],
      named(11),
      [EC, ED25519],
      unnamed,
      [...named(1), ...named(1)],
      "keys",
      undefined,
    ]) {
      expect(faultsOf({ keys }), JSON.stringify(keys)).to.deep.equal(["invalid_request jwks"]);
    }
  });

  it("are refused quickly if a number in them fills the largest body", () => {
    const long = Buffer.alloc(40_000, 255).toString("base64url");
    const computed = startComputing();
    for (const key of [
      { ...RSA, e: long },
      { ...RSA, n: long },
      { ...EC, x: long },
    ])
      expect(faultsOfKey(key)).to.deep.equal(["invalid_request jwks.keys[0]"]);
    expect(computed()).to.be.below(200);
  });

  it("are accepted or refused with a fault, whatever is sent", () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(RSA), ...Object.values(EC)));
    const key = fc.dictionary(fc.constantFrom("kty", "crv", "x", "y", "n", "e", "alg", "kid", "use"), member);
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ keys: fc.array(key) })), (jwks) => {
        expect(faultsOf(jwks)).to.be.an("array");
      }),
    );
  });
});

describe("the keys that an application publishes (RFC 7517, RFC 7591 section 2)", () => {
  it("are used if they may sign, and skipped if they are made for something else", () => {
    const forEncryption = { ...EC, kid: "enc", use: "enc" };
    const weak = { kty: "oct", k: "AAAA", kid: "mac" };
    const published = { keys: [forEncryption, { ...RSA, kid: "a", x5t: "x" }, weak, { ...EC, kid: "b" }] };
    expect(findPublishedJwks(published)?.signing?.keys.map(({ kid }) => kid)).to.deep.equal(["a", "b"]);
  });

  it("are unusable if none may sign, two share a kid, or there are too many", () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ ...EC, kid: String(index) }));
    const others = Array.from({ length: 99 }, () => ({ kty: "oct" }));
    expect(findPublishedJwks({ keys: [...others, EC] })?.signing?.keys).to.have.length(1);
    expect(findPublishedJwks({ keys: many.slice(1) })?.signing?.keys).to.have.length(10);
    const flood = [...others, { kty: "oct" }, EC];
    for (const keys of [
      [],
      [jwkOf(ec.privateKey)],
      [EC, ED25519],
      [EC, { ...ED25519, kid: "b" }],
      [
        { ...EC, kid: "a" },
        { ...RSA, kid: "a" },
      ],
      many,
      flood,
    ])
      expect(findPublishedJwks({ keys })).to.deep.equal({ signing: undefined });
  });

  it("are not a key set without an array of keys (RFC 7517 5)", () => {
    for (const nothing of [undefined, null, [], "keys", { keys: {} }])
      expect(findPublishedJwks(nothing)).to.equal(undefined);
  });

  it("have the thumbprint of RFC 8037 A.3, whatever their kid", () => {
    const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const keys = findPublishedJwks({
      keys: [{ kty: "OKP", crv: "Ed25519", x, kid: "a", alg: "EdDSA" }],
    })?.signing?.keys;
    expect(keys?.map(thumbprintOfJwk)).to.deep.equal(["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"]);
  });
});
