import type { X509Certificate } from "node:crypto";
import { endOfChain, findOtherTime } from "./certificate-time.ts";

/** Each certificate is issued by the one behind it. */
type Chain = readonly X509Certificate[];

/**
 * The authorities above the first certificate of a chain: from its issuer, or that of a certificate shown with it, up to the root.
 * Where several ways lead up, the one that a peer would accept counts: valid now if any is, and of those the one that ends last.
 * Undefined where none of the authorities has issued it.
 */
export function findAuthoritiesAbove(chain: Chain, authorities: Chain): Chain | undefined {
  return findAbove(chain, chainsOf(authorities));
}

function findAbove([own, ...shown]: Chain, chains: readonly Chain[]): Chain | undefined {
  if (own === undefined) return undefined;
  const above = chains.find(([issuer]) => issuer !== undefined && hasIssued(issuer, own));
  if (above !== undefined) return above;
  const issuer = shown.find((each) => hasIssued(each, own));
  if (issuer === undefined) return undefined;
  return findAbove([issuer, ...shown.filter((each) => each !== issuer)], chains);
}

/** The best chain upwards from each authority, itself first; the best of all comes first. Circles without a root have none. */
function chainsOf(authorities: Chain): readonly Chain[] {
  const found = new Map<X509Certificate, Chain>();
  let open: readonly Chain[] = authorities.filter((each) => isAtTop(each, authorities)).map((each) => [each]);
  while (open.length > 0) {
    const best = open.reduce((one, other) => (isBetter(other, one) ? other : one));
    const [head] = best;
    if (head === undefined) break;
    found.set(head, best);
    const below = authorities.filter((each) => !isRoot(each) && hasIssued(head, each));
    open = [...open, ...below.map((each) => [each, ...best])].filter(([each]) => each && !found.has(each));
  }
  return [...found.values()];
}

/** A root, also where its key is in a newer certificate of the same name; or an authority whose issuer is not there. */
function isAtTop(authority: X509Certificate, authorities: Chain): boolean {
  return isRoot(authority) || !authorities.some((each) => hasIssued(each, authority));
}

function isRoot(authority: X509Certificate): boolean {
  return authority.checkIssued(authority);
}

function hasIssued(issuer: X509Certificate, issued: X509Certificate): boolean {
  return issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
}

function isBetter(one: Chain, other: Chain): boolean {
  const [isValid, otherIsValid] = [isValidNow(one), isValidNow(other)];
  return isValid === otherIsValid ? endOfChain(one) > endOfChain(other) : isValid;
}

function isValidNow(chain: Chain): boolean {
  return chain.every((each) => findOtherTime([each]) === undefined);
}
