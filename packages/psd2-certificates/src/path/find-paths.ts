import { CertificateRefusal } from "../certificate-refusal.ts";
import type { TrustAnchor } from "../trust-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { presentName } from "../x509/distinguished-name.ts";
import { findCertificate } from "../x509/read-certificate.ts";
import { weaknessOfSignature } from "../x509/strength.ts";
import { unfitnessOfAuthority } from "./authority.ts";
import { type CertificationPath, makePath } from "./certification-path.ts";

/** Authorities above the leaf on one path, the anchor included. */
const authoritiesLimit = 5;
/** Intermediates that a peer may send: each is read before anything is known about it. */
const intermediatesLimit = 8;
/** Chains that are looked at for one leaf: cross-signed authorities could otherwise be arranged in thousands of ways. */
const chainsLimit = 32;

/** Something that is so between a certificate and an authority, or not. */
type Relation = (child: Certificate, authority: Certificate) => boolean;

/**
 * Finds every path from a leaf through presented intermediates to an anchor, shortest first (RFC 5280 6.1, without its
 * times). Refuses with `chain_untrusted`.
 */
export function findPaths(
  leaf: Certificate,
  presented: readonly Buffer[],
  anchors: readonly TrustAnchor[],
): readonly CertificationPath[] {
  if (presented.length > intermediatesLimit) throw untrusted(`${presented.length} intermediates were sent`);
  const intermediates = readIntermediates(presented, anchors);
  const [names, signed] = [remember(namesIssuer), remember(isSignedBy)];
  const paths: CertificationPath[] = [];
  for (const chain of chainsUpwards(leaf, intermediates, names))
    for (const anchor of anchors)
      if (extendsChain(chain, anchor.certificate, names) && isSigned([...chain, anchor.certificate], signed))
        paths.push(makePath(leaf, chain.slice(1), anchor));
  if (paths.length === 0) throw untrusted(`no path for the issuer ${presentName(leaf.issuer)}`);
  return paths;
}

/** Every chain that starts with the leaf and goes up through intermediates by their names, shortest first. */
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

/** Whether an authority may stand above a chain: the last of it names it and its path length suffices. */
function extendsChain(chain: readonly Certificate[], authority: Certificate, names: Relation): boolean {
  const last = chain.at(-1);
  // RFC 5280 4.2.1.9: authorities below it count, except those that only renewed themselves.
  const below = chain.slice(1).filter(({ subject, issuer }) => !subject.encoded.equals(issuer.encoded));
  if (last === undefined || below.length > (authority.authority?.pathLength ?? -1)) return false;
  return names(last, authority);
}

/** What is no usable authority is left out rather than refused: peers send roots and strays along. */
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
 * Whether each of a chain signed the one below it, asked from its anchor downwards: with a key that no trusted one has
 * vouched for nothing is computed. A stranger, who needs no certificate for this, would choose the keys that take longest.
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

/** Each pair is looked at once, however many chains hold it. */
function remember(relation: Relation): Relation {
  const known = new Map<Certificate, Map<Certificate, boolean>>();
  return (child, authority) => {
    const answers = known.get(child) ?? new Map<Certificate, boolean>();
    const answer = answers.get(authority) ?? relation(child, authority);
    known.set(child, answers.set(authority, answer));
    return answer;
  };
}

/** By names, key identifiers and keyUsage. */
function namesIssuer(child: Certificate, authority: Certificate): boolean {
  return child.x509.checkIssued(authority.x509);
}

function isSignedBy(child: Certificate, authority: Certificate): boolean {
  return child.x509.verify(authority.x509.publicKey);
}

function untrusted(detail: string): CertificateRefusal {
  return new CertificateRefusal("chain_untrusted", detail);
}
