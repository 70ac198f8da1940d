import { isIP } from "node:net";
import type { RelyingParty } from "./passkey.ts";

/**
 * For whom passkeys are good at these pages; undefined where the host is an IP address, for which no browser makes any (Web
 * Authentication 5.1.2). `domain` is the RP ID that configuration names; absent: the host of the pages.
 */
export function findRelyingParty(
  issuer: string,
  { domain, name }: { readonly domain: string | undefined; readonly name: string },
): RelyingParty | undefined {
  const { hostname, origin } = new URL(issuer);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return undefined;
  return { id: domain ?? hostname, origin, name };
}

/** Whether passkeys of a domain can be used at these pages: it is their host, or a parent of it with a dot in it. */
export function isPasskeyDomain(domain: string, issuer: string): boolean {
  const { hostname } = new URL(issuer);
  return domain === hostname || (domain.includes(".") && hostname.endsWith(`.${domain}`));
}
