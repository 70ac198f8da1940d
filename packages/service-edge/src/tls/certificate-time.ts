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
