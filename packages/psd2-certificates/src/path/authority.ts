import { type Certificate, clientAuth, extensionOids, keyUsageBits } from "../x509/certificate.ts";
import { unsupportedExtension } from "../x509/critical-extensions.ts";
import { weaknessOfKey } from "../x509/strength.ts";

/**
 * Says why an authority may not issue certificates of TPPs; undefined if it may. Purposes of an authority limit what is below
 * it, as OpenSSL reads them; RFC 5280 leaves that open. nameConstraints are not evaluated, so an authority limited by them,
 * critical or not, may issue none: below a root that is an anchor it may belong to a company, for certificates of its own
 * hosts.
 */
export function unfitnessOfAuthority(certificate: Certificate): string | undefined {
  const { authority, keyUsage, purposes, extensions } = certificate;
  if (authority === undefined) return "not an authority (basicConstraints)";
  if (keyUsage?.has(keyUsageBits.keyCertSign) === false) return "no keyCertSign in its keyUsage";
  if (purposes?.has(clientAuth) === false) return "its extKeyUsage excludes clientAuth";
  if (extensions.has(extensionOids.nameConstraints)) return "it has nameConstraints";
  const extension = unsupportedExtension(certificate);
  return extension === undefined ? weaknessOfKey(certificate) : `unsupported critical extension ${extension}`;
}
