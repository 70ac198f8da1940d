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

/** Parameters of our answers (RFC 6749 4.1.2, 5.2; RFC 9207 2); a registered one could be taken for ours. */
const ANSWER_PARAMETERS = ["code", "state", "iss", "scope", "error", "error_description", "error_uri"];

const EVERY = `without user information, fragment or *, ${URI_IN_WORDS}; a query must be UTF-8 without the parameters ${ANSWER_PARAMETERS.join(", ")}`;

/** Describes acceptable return addresses for the TPP. */
export const ACCEPTED_REDIRECT_URIS: Readonly<Record<ApplicationType, string>> = {
  web: `it must be https, ${EVERY}`,
  native: `it must be http at 127.0.0.1, [::1] or localhost, or have a scheme named after your domain, such as cz.example.app:/, ${EVERY}`,
};

/**
 * Accepts a redirect URI for a type of application; otherwise undefined. `web` allows only https; `native` loopback http (RFC
 * 8252 7.3) or a private-use scheme named after a domain (RFC 8252 7.1). It may have no fragment (RFC 6749 3.1.2), user
 * information or wildcard, nor a query that an answer could not keep unchanged. Without a type it need suit only one of them.
 */
export function findRedirectUri(text: string, type: ApplicationType | undefined): RedirectUri | undefined {
  const uri = /[#*]/.test(text) ? undefined : findUri(text);
  if (uri === undefined || !keepsItsQuery(text)) return undefined;
  const accepted =
    type === undefined ? ACCEPTS.web(uri, text) || ACCEPTS.native(uri, text) : ACCEPTS[type](uri, text);
  return accepted ? (text as RedirectUri) : undefined;
}

/**
 * Whether a return address is at one of these origins (RFC 6454), each as `URL.origin` writes it. A dot at the end of a host's
 * name changes nothing (RFC 1034 3.1).
 */
export function isAtOrigin(uri: RedirectUri, origins: readonly string[]): boolean {
  return origins.includes(new URL(uri).origin.replace(/\.(?=:\d+$|$)/, ""));
}

/** RFC 6749 3.1.2: an answer is added to the query. That rewrites the query, and escapes that are not UTF-8 are lost. */
function keepsItsQuery(text: string): boolean {
  const [, query = ""] = /^[^?]*\?(.*)$/s.exec(text) ?? [];
  if (!isUtf8(query)) return false;
  return [...new URLSearchParams(query).keys()].every((name) => !ANSWER_PARAMETERS.includes(name));
}

function isUtf8(escaped: string): boolean {
  try {
    decodeURIComponent(escaped);
    return true;
  } catch {
    return false;
  }
}

function isLoopback(uri: Uri): boolean {
  return uri.scheme === "http" && LOOPBACK.has(uri.hostname);
}

function isPrivateUse(uri: Uri, text: string): boolean {
  return REVERSE_DOMAIN.test(uri.scheme) && text.charAt(uri.scheme.length + 1) === "/";
}
