/** Parts of a URI (RFC 3986); `authority` is undefined if it has none. */
export type Uri = {
  readonly scheme: string;
  readonly authority: string | undefined;
  readonly hostname: string;
};

/** Longest URI that COBS allows in a registration, in bytes (PDF 1.4.1.1); one byte is one character here. */
const MAX_URI_BYTES = 2047;

const CHARACTERS = /^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/;
const DEFAULT_PORTS = new Map([
  ["http", "80"],
  ["https", "443"],
]);

/** Describes for the TPP how a URI must be written. */
export const URI_IN_WORDS = `of at most ${MAX_URI_BYTES} characters of RFC 3986, its host in canonical form`;

/**
 * Reads an absolute URI of at most 2,047 bytes; undefined if it is not acceptable. Only the characters of RFC 3986 and an
 * authority in plain form are accepted (no user information, no alternative spelling of a host), because a browser that reads
 * a URI differently from us would carry a code elsewhere.
 */
export function findUri(text: string): Uri | undefined {
  if (text.length > MAX_URI_BYTES || !CHARACTERS.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(text)?.[1]?.toLowerCase();
  const uri = { scheme, authority, hostname: url.hostname };
  return isPlain(uri, url) ? uri : undefined;
}

function isPlain({ scheme, authority, hostname }: Uri, url: URL): boolean {
  const port = DEFAULT_PORTS.get(scheme);
  if (port === undefined) return authority?.includes("@") !== true;
  return authority === url.host || authority === `${hostname}:${port}`;
}
