import type { X509Certificate } from "node:crypto";
import { endOfChain } from "./certificate-time.ts";

type Certificates = readonly X509Certificate[];

/**
 * The authorities above the first certificate of a chain, from the one that has issued it, or one of those shown with it, on;
 * of several ways the one that ends last, as a peer takes one that is valid. Undefined where none of the authorities has.
 */
export function findAuthoritiesAbove(
  [own, ...shown]: Certificates,
  authorities: Certificates,
): Certificates | undefined {
  if (own === undefined) return undefined;
  const isIssuer = (each: X509Certificate) => own.checkIssued(each) && own.verify(each.publicKey);
  const [latest] = authorities
    .filter(isIssuer)
    .map((issuer) => [issuer, ...aboveOf(issuer, authorities)])
    .sort((one, other) => endOfChain(other) - endOfChain(one));
  if (latest !== undefined) return latest;
  const issuer = shown.find(isIssuer);
  if (issuer === undefined) return undefined;
  return findAuthoritiesAbove([issuer, ...shown.filter((each) => each !== issuer)], authorities);
}

/** None is above a root, also where its key is in a newer certificate of the same name. */
function aboveOf(authority: X509Certificate, authorities: Certificates): Certificates {
  if (authority.checkIssued(authority)) return [];
  const others = authorities.filter((each) => each !== authority);
  return findAuthoritiesAbove([authority], others) ?? [];
}
