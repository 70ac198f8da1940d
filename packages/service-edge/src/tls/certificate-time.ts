import type { X509Certificate } from "node:crypto";

/** From when to when the first certificate is valid, where that is not now: then everybody refuses it. */
export function findOtherTime([own]: readonly X509Certificate[]): string | undefined {
  if (own === undefined) return undefined;
  const from = new Date(own.validFrom);
  const until = new Date(own.validTo);
  const now = new Date();
  if (from <= now && now <= until) return undefined;
  return `valid from ${from.toISOString()} to ${until.toISOString()}, and not now`;
}

/** As long as an alert of the documented rules waits with it. */
const SOON_MILLISECONDS = 14 * 86_400_000;

/** The end of a certificate, or of what ends first of its chain, in milliseconds since 1970. */
export function endOfChain(chain: readonly X509Certificate[]): number {
  return Math.min(...chain.map(({ validTo }) => Date.parse(validTo)));
}

/** Until when a chain is valid, where that is soon. */
export function findSoonEnd(chain: readonly X509Certificate[]): string | undefined {
  const end = endOfChain(chain);
  return end - Date.now() > SOON_MILLISECONDS ? undefined : `valid until ${new Date(end).toISOString()}`;
}
