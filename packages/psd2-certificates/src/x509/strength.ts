import type { KeyObject } from "node:crypto";
import type { Certificate } from "./certificate.ts";
import { readSignatureScheme } from "./signature-scheme.ts";

const strongCurves: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1"]);
/** Above the upper bound a signature costs the reader more than it tells. */
const rsaBits = { min: 2048, max: 8192 };
const rsaExponentMin = 3n;

/** Says why the algorithm that a certificate was signed with is not believed; undefined when it is. */
export function weaknessOfSignature({ signatureAlgorithm }: Certificate): string | undefined {
  const scheme = readSignatureScheme(signatureAlgorithm);
  return scheme.strong ? undefined : scheme.weakness;
}

/** Says why the key of a certificate is not accepted; undefined when it is. */
export function weaknessOfKey({ x509 }: Certificate): string | undefined {
  const key = publicKeyOf(x509);
  const details = key?.asymmetricKeyDetails;
  switch (key?.asymmetricKeyType) {
    case "rsa":
    case "rsa-pss":
      return weaknessOfRsa(details?.modulusLength ?? 0, details?.publicExponent ?? 0n);
    case "ec":
      // Explicit parameters have no name, and only a name says that the curve was not made for the occasion.
      return strongCurves.has(details?.namedCurve ?? "")
        ? undefined
        : `curve ${details?.namedCurve ?? "without a name"}`;
    case "ed25519":
    case "ed448":
      return undefined;
    default:
      return `key of kind ${key?.asymmetricKeyType ?? "unreadable"}`;
  }
}

function weaknessOfRsa(bits: number, exponent: bigint): string | undefined {
  if (bits < rsaBits.min || bits > rsaBits.max) return `RSA of ${bits} bits`;
  return exponent < rsaExponentMin || exponent % 2n === 0n ? `RSA with exponent ${exponent}` : undefined;
}

function publicKeyOf(x509: Certificate["x509"]): KeyObject | undefined {
  try {
    return x509.publicKey;
  } catch {
    return undefined;
  }
}
