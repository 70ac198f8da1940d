import type { Certificate } from "./certificate.ts";
import { type PublicKey, readPublicKey } from "./public-key.ts";
import { readSignatureScheme } from "./signature-scheme.ts";

const strongCurves: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1"]);
/** Above the upper bound, verifying a signature costs more than it is worth. */
const rsaBits = { min: 2048, max: 8192 };
const rsaExponentMin = 3n;

/** Says why the algorithm of a certificate's signature is not trusted; undefined if it is. */
export function weaknessOfSignature({ signatureAlgorithm }: Certificate): string | undefined {
  const scheme = readSignatureScheme(signatureAlgorithm);
  return scheme.strong ? undefined : scheme.weakness;
}

/** Says why the key of a certificate is not accepted; undefined if it is. */
export function weaknessOfKey(certificate: Certificate): string | undefined {
  const key = findPublicKey(certificate);
  switch (key?.kind) {
    case "rsa":
    case "rsa-pss":
      return weaknessOfRsa(key.bits, key.exponent);
    case "ec":
      // Explicit parameters have no name, and only a name shows that the curve was not made for the occasion.
      return strongCurves.has(key.curve ?? "")
        ? undefined
        : `unsupported curve: ${key.curve ?? "without a name"}`;
    case "ed25519":
    case "ed448":
      return undefined;
    default:
      return `unsupported key: ${key?.algorithm ?? "unreadable"}`;
  }
}

function weaknessOfRsa(bits: number, exponent: bigint): string | undefined {
  if (bits < rsaBits.min || bits > rsaBits.max)
    return `RSA of ${bits} bits, not ${rsaBits.min} to ${rsaBits.max}`;
  return exponent < rsaExponentMin || exponent % 2n === 0n ? `RSA with exponent ${exponent}` : undefined;
}

/** Finds the public key; undefined if we or OpenSSL, which checks that a point is on its curve, cannot read it. */
function findPublicKey({ publicKeyInfo, x509 }: Certificate): PublicKey | undefined {
  try {
    const key = readPublicKey(publicKeyInfo);
    void x509.publicKey;
    return key;
  } catch {
    return undefined;
  }
}
