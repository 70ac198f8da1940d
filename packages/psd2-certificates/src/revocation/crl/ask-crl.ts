import type { PathLink } from "../../path/path-link.ts";
import {
  type DatedAnswer,
  type RevocationAnswer,
  revokedAnswer,
  UnusableAnswer,
} from "../revocation-answer.ts";
import type { CrlPoint } from "../revocation-sources.ts";
import type { CrlMemory, ListQuestion } from "./crl-memory.ts";
import type { RevocationList } from "./read-crl.ts";

/** Looks a certificate up in one CRL (RFC 5280 6.3.3). Rejects if there is none that covers it. */
export async function askCrl(
  link: PathLink,
  point: CrlPoint,
  { memory, ...question }: Omit<ListQuestion, "url"> & { readonly memory: CrlMemory },
): Promise<DatedAnswer> {
  const { list, askedAt } = await memory.find(link, { ...question, url: point.url });
  requireAbout(list, link, point);
  return { answer: answerOf(list, link, `CRL ${point.url.host}`), askedAt };
}

/**
 * A partitioned list must be the partition that the certificate names (RFC 5280 6.3.3 (b)(2)): absence from another would look
 * like good.
 */
function requireAbout({ scope }: RevocationList, { isAuthority }: PathLink, { names }: CrlPoint): void {
  if (!(isAuthority ? scope.coversAuthorities : scope.coversLeaves))
    throw new UnusableAnswer("the CRL does not cover this kind of certificate");
  if (scope.names !== undefined && !scope.names.some((name) => names.includes(name)))
    throw new UnusableAnswer("the CRL is for another distribution point");
}

function answerOf(
  { serials, from, until }: RevocationList,
  { serialNumber }: PathLink,
  source: string,
): RevocationAnswer {
  const entry = serials.find(serialNumber);
  return entry === undefined
    ? { status: "good", from, until, detail: `${source}: good` }
    : revokedAnswer(entry.reason, { from, until }, source);
}
