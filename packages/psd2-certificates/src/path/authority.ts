import { type Certificate, clientAuth, keyUsageBits } from "../x509/certificate.ts";
import { unsupportedExtension } from "../x509/critical-extensions.ts";
import { weaknessOfKey } from "../x509/strength.ts";

/**
 * Says why a certificate may not issue certificates of TPPs; undefined when it may. Purposes of an authority limit what
 * is below it, as OpenSSL reads them; RFC 5280 leaves that open.
 */
export function unfitnessOfAuthority(certificate: Certificate): string | undefined {
  const { authority, keyUsage, purposes } = certificate;
  if (authority === undefined) return "not an authority (basicConstraints)";
  if (keyUsage?.has(keyUsageBits.keyCertSign) === false) return "no keyCertSign in its keyUsage";
  if (purposes?.has(clientAuth) === false) return "its extKeyUsage excludes clientAuth";
  const extension = unsupportedExtension(certificate);
  return extension === undefined ? weaknessOfKey(certificate) : `critical extension ${extension}`;
}
