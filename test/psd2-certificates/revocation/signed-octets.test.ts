import { generateKeyPairSync } from "node:crypto";
import { expect } from "chai";
import {
  DerFault,
  membersOf,
  readDer,
  tags,
} from "../../../packages/psd2-certificates/src/der/der-element.ts";
import { UnusableAnswer } from "../../../packages/psd2-certificates/src/revocation/revocation-answer.ts";
import {
  isSignedBy,
  readSignedOctets,
} from "../../../packages/psd2-certificates/src/revocation/signed-octets.ts";
import {
  derBitString,
  derElement,
  derOid,
  derSequence,
} from "../../../packages/sandbox/src/certificates/der.ts";
import {
  type SignatureName,
  signatureBits,
} from "../../../packages/sandbox/src/certificates/signature-algorithms.ts";
import { algorithms, keyOf } from "../certificate-builder.ts";

const octets = derSequence(derElement(0x05));
const readOf = (...members: readonly Uint8Array[]) =>
  readSignedOctets(membersOf(readDer(Buffer.from(derSequence(...members))), tags.sequence));

/** Signed by a key in one way, and said to be in another. */
function signedBy(key: ReturnType<typeof keyOf>, name: SignatureName, said: SignatureName = name) {
  return readOf(octets, algorithms[said].identifier, signatureBits(octets, key, algorithms[name]));
}

describe("The signature of an OCSP answer or a CRL", () => {
  for (const [kind, name] of [
    ["P-256", "ecdsa-sha256"],
    ["P-384", "ecdsa-sha384"],
    ["P-521", "ecdsa-sha512"],
    ["ed25519", "ed25519"],
    ["rsa-2048", "rsa-sha256"],
    ["rsa-2048", "pss-sha256"],
  ] as const)
    it(`may be by a key of kind ${kind} with ${name} (ETSI TS 119 312)`, async () => {
      expect(await isSignedBy(signedBy(keyOf(kind), name), keyOf(kind))).to.equal(true);
      expect(await isSignedBy(signedBy(keyOf(kind, "other"), name), keyOf(kind))).to.equal(false);
    });

  it("may be by an RSA key that is limited to RSASSA-PSS (RFC 4055 1.2)", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa-pss", { modulusLength: 2_048 });
    expect(await isSignedBy(signedBy(privateKey, "pss-sha256"), publicKey)).to.equal(true);
    expect(await isSignedBy(signedBy(keyOf("rsa-2048"), "pss-sha256"), publicKey)).to.equal(false);
  });

  it("is wrong for a key of another kind, or an algorithm other than it states", async () => {
    const [rsa, ec] = [keyOf("rsa-2048"), keyOf("P-256")];
    expect(await isSignedBy(signedBy(rsa, "rsa-sha256", "ecdsa-sha256"), rsa)).to.equal(false);
    expect(await isSignedBy(signedBy(ec, "ecdsa-sha256", "rsa-sha256"), ec)).to.equal(false);
    expect(await isSignedBy(signedBy(rsa, "rsa-sha256", "pss-sha256"), rsa)).to.equal(false);
    expect(await isSignedBy(signedBy(rsa, "pss-sha256", "rsa-sha256"), rsa)).to.equal(false);
  });

  for (const [kind, name] of [
    ["P-256", "ecdsa-sha1"],
    ["rsa-2048", "rsa-sha1"],
    ["rsa-2048", "pss-sha1"],
  ] as const)
    it(`is refused with ${name}`, async () => {
      const outcome = isSignedBy(signedBy(keyOf(kind), name), keyOf(kind));
      expect(await outcome.catch((error: unknown) => error)).to.be.instanceOf(UnusableAnswer);
    });

  it("is refused with missing or strange algorithm parameters (RFC 4055 3.1, RFC 5758 3.2)", async () => {
    const ecdsa = derOid("1.2.840.10045.4.3.2");
    const bits = signatureBits(octets, keyOf("P-256"), algorithms["ecdsa-sha256"]);
    const isBelieved = (identifier: Uint8Array) =>
      isSignedBy(readOf(octets, identifier, bits), keyOf("P-256")).catch((error: unknown) => error);
    expect(await isBelieved(derSequence(ecdsa, derElement(0x05)))).to.equal(true);
    for (const identifier of [
      derSequence(ecdsa, derElement(0x04)),
      derSequence(ecdsa, derElement(0x05, Buffer.from([0]))),
      derSequence(derOid("1.2.840.113549.1.1.10")),
    ])
      expect(await isBelieved(identifier)).to.be.instanceOf(UnusableAnswer);
  });

  it("must be in whole octets, beside what it signs and how", () => {
    const { identifier } = algorithms.ed25519;
    expect(readOf(octets, identifier, derBitString(Buffer.from("ab"))).signature.toString()).to.equal("ab");
    for (const bits of [derElement(0x03, Buffer.from([1, 0xaa])), derElement(0x03)])
      expect(() => readOf(octets, identifier, bits)).to.throw(DerFault, "not a whole number of octets");
    for (const members of [
      [octets, identifier, derElement(0x04, Buffer.from([0, 0xaa]))],
      [octets, identifier],
    ])
      expect(() => readOf(...members)).to.throw(DerFault);
  });
});
