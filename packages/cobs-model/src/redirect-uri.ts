import type { ApplicationType } from "./application.ts";
import type { Brand } from "./brand.ts";
import { findUri, URI_IN_WORDS, type Uri } from "./uri.ts";

/** An acceptable return address, exactly as the TPP sent it (at most 2,047 bytes). */
export type RedirectUri = Brand<"RedirectUri">;

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const REVERSE_DOMAIN = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/;

const ACCEPTS: Record<ApplicationType, (uri: Uri, text: string) => boolean> = {
  web: (uri) => uri.scheme === "https",
  native: (uri, text) => isLoopback(uri) || isPrivateUse(uri, text),
};

const EVERY = `without user information, fragment and *, ${URI_IN_WORDS}`;

/** What an acceptable return address is, in words for the TPP. */
export const ACCEPTED_REDIRECT_URIS: Readonly<Record<ApplicationType, string>> = {
  web: `https, ${EVERY}`,
  native: `http at 127.0.0.1, [::1] or localhost, or a scheme such as cz.example.app:/ after a domain; ${EVERY}`,
};

/**
 * Takes a redirect URI for a type of application, or gives undefined: `web` https only; `native` loopback http
 * (RFC 8252 7.3) or a private-use scheme named after a domain (RFC 8252 7.1). Never a fragment (RFC 6749 3.1.2), user
 * information or a wildcard. Without a type it need only suit one of them.
 */
export function findRedirectUri(text: string, type: ApplicationType | undefined): RedirectUri | undefined {
  const uri = /[#*]/.test(text) ? undefined : findUri(text);
  if (uri === undefined) return undefined;
  const accepted =
    type === undefined ? ACCEPTS.web(uri, text) || ACCEPTS.native(uri, text) : ACCEPTS[type](uri, text);
  return accepted ? (text as RedirectUri) : undefined;
}

function isLoopback(uri: Uri): boolean {
  return uri.scheme === "http" && LOOPBACK.has(uri.hostname);
}

function isPrivateUse(uri: Uri, text: string): boolean {
  return REVERSE_DOMAIN.test(uri.scheme) && text.charAt(uri.scheme.length + 1) === "/";
}
