import { isIP } from "node:net";
import type { RelyingParty } from "./passkey.ts";

/**
 * Finds the relying party of these pages; undefined when the host is an IP address, for which browsers make no passkeys (Web
 * Authentication 5.1.2). `domain` is the RP ID from the configuration; when absent, the host of the pages.
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
