import { contentsOf, type DerElement, membersOf, tags } from "../../der/der-element.ts";
import { type Certificate, keyUsageBits, ocspSigning } from "../../x509/certificate.ts";
import { unsupportedExtension } from "../../x509/critical-extensions.ts";
import { presentName } from "../../x509/distinguished-name.ts";
import { findCertificate } from "../../x509/read-certificate.ts";
import { weaknessOfKey, weaknessOfSignature } from "../../x509/strength.ts";
import { UnusableAnswer } from "../revocation-answer.ts";
import { isSignedBy } from "../signed-octets.ts";
import { keyHashOf } from "./cert-id.ts";
import type { OcspResponse } from "./read-ocsp-response.ts";

/**
 * Proves who signed a response (RFC 6960 4.2.2.2): the authority that issued the certificate in question, or a delegate to
 * which it issued a certificate directly, with the same key. Throws an `UnusableAnswer`.
 *
 * Whether the delegate itself was revoked is not checked: RFC 6960 4.2.2.2.1 leaves that to the authority, which either
 * includes id-pkix-ocsp-nocheck or keeps such certificates short-lived.
 */
export async function requireResponder(
  response: OcspResponse,
  issuer: Certificate,
  now: Date,
): Promise<void> {
  const refusals: string[] = [];
  for (const responder of respondersOf(response, issuer)) {
    const unfitness = responder === issuer ? undefined : unfitnessOfDelegate(responder, issuer, now);
    if (unfitness !== undefined) refusals.push(unfitness);
    else if (await isSignedBy(response.signed, responder.x509.publicKey)) return;
    else refusals.push(`the answer is not signed by ${presentName(responder.subject)}`);
  }
  throw new UnusableAnswer(
    refusals.join("; ") || "the responder is neither the issuer nor certified in the answer",
  );
}

/** Certificates that may have signed the response, according to its ResponderID. */
function respondersOf(
  { responder, certificates }: OcspResponse,
  issuer: Certificate,
): readonly Certificate[] {
  const delegates = certificates.map(findCertificate).filter((certificate) => certificate !== undefined);
  return [issuer, ...delegates].filter((certificate) => isNamed(certificate, responder));
}

function isNamed(certificate: Certificate, responder: DerElement): boolean {
  const byName = responder.tag === tags.constructed(1);
  const [id] = membersOf(responder, byName ? tags.constructed(1) : tags.constructed(2), { min: 1, max: 1 });
  if (byName) return id?.encoded.equals(certificate.subject.encoded) === true;
  return contentsOf(id, tags.octetString).equals(keyHashOf(certificate));
}

/** Says why a certificate may not answer for the authority; undefined if it may. */
function unfitnessOfDelegate(delegate: Certificate, issuer: Certificate, now: Date): string | undefined {
  if (!isIssuedBy(delegate, issuer)) return "the issuer did not certify the delegated responder";
  if (delegate.purposes?.has(ocspSigning) !== true)
    return "the extKeyUsage of the delegated responder has no OCSPSigning";
  if (delegate.keyUsage?.has(keyUsageBits.digitalSignature) === false)
    return "the keyUsage of the delegated responder has no digitalSignature";
  if (!(now >= delegate.notBefore && now <= delegate.notAfter))
    return "the certificate of the delegated responder is not valid now";
  const extension = unsupportedExtension(delegate);
  if (extension !== undefined)
    return `the delegated responder has the unsupported critical extension ${extension}`;
  return weaknessOfKey(delegate) ?? weaknessOfSignature(delegate);
}

function isIssuedBy(delegate: Certificate, issuer: Certificate): boolean {
  return delegate.x509.checkIssued(issuer.x509) && delegate.x509.verify(issuer.x509.publicKey);
}
