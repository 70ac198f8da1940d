import { CertificateRefusal } from "../certificate-refusal.ts";
import type { TrustAnchor } from "../trust-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { presentName } from "../x509/distinguished-name.ts";
import { findCertificate } from "../x509/read-certificate.ts";
import { weaknessOfSignature } from "../x509/strength.ts";
import { unfitnessOfAuthority } from "./authority.ts";
import { type CertificationPath, makePath } from "./certification-path.ts";

/** Most authorities above the leaf on one path, the anchor included. */
const authoritiesLimit = 5;
/** Most intermediates that a peer may send: each is read before anything is known about it. */
const intermediatesLimit = 8;
/** Most chains examined for one leaf: cross-signed authorities could otherwise be arranged in thousands of ways. */
const chainsLimit = 32;

/** A relation that may hold between a certificate and an authority. */
type Relation = (child: Certificate, authority: Certificate) => boolean;

/**
 * Finds every path from a leaf through presented intermediates to an anchor, shortest first (RFC 5280 6.1, without its times).
 * Refuses with `chain_untrusted`.
 */
export function findPaths(
  leaf: Certificate,
  presented: readonly Buffer[],
  anchors: readonly TrustAnchor[],
): readonly CertificationPath[] {
  if (presented.length > intermediatesLimit)
    throw untrusted(`${presented.length} intermediates were sent, more than ${intermediatesLimit}`);
  const intermediates = readIntermediates(presented, anchors);
  const [names, signed] = [remember(namesIssuer), remember(isSignedBy)];
  const paths: CertificationPath[] = [];
  for (const chain of chainsUpwards(leaf, intermediates, names))
    for (const anchor of anchors)
      if (extendsChain(chain, anchor.certificate, names) && isSigned([...chain, anchor.certificate], signed))
        paths.push(makePath(leaf, chain.slice(1), anchor));
  if (paths.length === 0)
    throw untrusted(`no path to a trust anchor from the issuer ${presentName(leaf.issuer)}`);
  return paths;
}

/** Finds every chain that starts with the leaf and goes up through intermediates by their names, shortest first. */
function chainsUpwards(
  leaf: Certificate,
  intermediates: readonly Certificate[],
  names: Relation,
): readonly Certificate[][] {
  const chains = [[leaf]];
  for (let at = 0; at < chains.length && at < chainsLimit; at++) {
    const chain = chains[at] ?? [];
    if (chain.length >= authoritiesLimit) continue;
    for (const intermediate of intermediates)
      if (!chain.includes(intermediate) && extendsChain(chain, intermediate, names))
        chains.push([...chain, intermediate]);
  }
  return chains.slice(0, chainsLimit);
}

/** Whether an authority may stand above a chain: the last certificate names it, and its path length is sufficient. */
function extendsChain(chain: readonly Certificate[], authority: Certificate, names: Relation): boolean {
  const last = chain.at(-1);
  // RFC 5280 4.2.1.9: authorities below it count, except self-issued ones.
  const below = chain.slice(1).filter(({ subject, issuer }) => !subject.encoded.equals(issuer.encoded));
  if (last === undefined || below.length > (authority.authority?.pathLength ?? -1)) return false;
  return names(last, authority);
}

/** Reads intermediates; unusable ones are left out, not refused, because peers send roots and strays along. */
function readIntermediates(
  presented: readonly Buffer[],
  anchors: readonly TrustAnchor[],
): readonly Certificate[] {
  const others = presented.filter((der, at) => presented.findIndex((other) => other.equals(der)) === at);
  return others
    .filter((der) => !anchors.some(({ certificate }) => certificate.der.equals(der)))
    .map(findCertificate)
    .filter((certificate) => certificate !== undefined)
    .filter((certificate) => unfitnessOfAuthority(certificate) === undefined)
    .filter((certificate) => weaknessOfSignature(certificate) === undefined);
}

/**
 * Whether each certificate of a chain signed the one below it, checked from the anchor downwards, so that no signature is
 * verified with a key that no trusted key has vouched for. Otherwise a stranger, who needs no valid certificate for this,
 * would choose the slowest keys.
 */
function isSigned(chain: readonly Certificate[], signed: Relation): boolean {
  const [authority, ...below] = [...chain].reverse();
  let above = authority;
  for (const child of below) {
    if (above === undefined || !signed(child, above)) return false;
    above = child;
  }
  return true;
}

/** Remembers a relation, so that each pair is checked once, however many chains contain it. */
function remember(relation: Relation): Relation {
  const known = new Map<Certificate, Map<Certificate, boolean>>();
  return (child, authority) => {
    const answers = known.get(child) ?? new Map<Certificate, boolean>();
    const answer = answers.get(authority) ?? relation(child, authority);
    known.set(child, answers.set(authority, answer));
    return answer;
  };
}

/** Whether names, key identifiers and keyUsage match. */
function namesIssuer(child: Certificate, authority: Certificate): boolean {
  return child.x509.checkIssued(authority.x509);
}

function isSignedBy(child: Certificate, authority: Certificate): boolean {
  return child.x509.verify(authority.x509.publicKey);
}

function untrusted(detail: string): CertificateRefusal {
  return new CertificateRefusal("chain_untrusted", detail);
}
