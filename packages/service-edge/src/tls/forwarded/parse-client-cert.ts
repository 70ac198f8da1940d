import { decodeCanonicalBase64 } from "./canonical-base64.ts";
import { type ForwardedCertificate, ForwardedFault, INTERMEDIATES_LIMIT } from "./forwarded-certificate.ts";

const MEMBER = /[ \t]*:([^:]*):[ \t]*(,|$)/y;

/**
 * Parses `Client-Cert` and `Client-Cert-Chain` (RFC 9440 sections 2.2, 2.3): one byte sequence without parameters, and a list
 * of at most eight without the leaf. Refuses with a `ForwardedFault`.
 */
export function parseClientCert(certificate: string, chain: string | undefined): ForwardedCertificate {
  return { der: parseByteSequence(certificate), intermediates: parseList(chain ?? "") };
}

/** RFC 8941 section 3.3.5; a list, a parameter or a second item would not end with the second colon. */
function parseByteSequence(text: string): Buffer {
  if (!text.startsWith(":") || text.indexOf(":", 1) !== text.length - 1)
    throw new ForwardedFault("not one byte sequence between colons");
  return decodeCanonicalBase64(text.slice(1, -1));
}

/** RFC 8941 section 3.1; an empty list is the same as none. */
function parseList(text: string): readonly Buffer[] {
  if (text === "") return [];
  const members: Buffer[] = [];
  const member = new RegExp(MEMBER);
  for (let comma: string | undefined = ","; comma === ","; ) {
    const [found, base64 = "", next] = member.exec(text) ?? [];
    if (found === undefined) throw new ForwardedFault("the chain is not a list of byte sequences");
    if (members.length === INTERMEDIATES_LIMIT) throw new ForwardedFault("the chain is too long");
    members.push(decodeCanonicalBase64(base64));
    comma = next;
  }
  return members;
}
