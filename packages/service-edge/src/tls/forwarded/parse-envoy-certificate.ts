import { createHash } from "node:crypto";
import { decodeEscapedPem } from "./escaped-pem.ts";
import { type ForwardedCertificate, ForwardedFault, INTERMEDIATES_LIMIT } from "./forwarded-certificate.ts";

const PAIR = /([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;]*))(;|$)/sy;
/** Keys that may repeat, because a certificate may hold several of these names and Envoy writes a pair for each. */
const REPEATABLE: ReadonlySet<string> = new Set(["By", "URI", "DNS"]);

interface Pair {
  /** The quoted text with its escapes, which occur in no value read here; undefined without quotes. */
  readonly quoted: string | undefined;
  readonly bare: string | undefined;
}

/**
 * Parses Envoy's `x-forwarded-client-cert`. It must have one element, of which `Cert` is read, `Chain` if present, and `Hash`,
 * which must then be the certificate's. A second element means that a proxy in front forwarded a header of its own.
 *
 * Envoy writes names from the certificate without quotes, so whoever makes a certificate can add pairs and elements. Repeated
 * pairs are therefore refused, never chosen from. Refuses with a `ForwardedFault`.
 */
export function parseEnvoyCertificate(value: string): ForwardedCertificate {
  const pairs = readPairs(value);
  const [der] = decodeEscapedPem(requireQuoted(pairs.get("Cert")), 1);
  requireHash(pairs.get("Hash"), der);
  const chain = pairs.get("Chain");
  return { der, intermediates: chain === undefined ? [] : readChain(requireQuoted(chain), der) };
}

function readPairs(value: string): ReadonlyMap<string, Pair> {
  const pairs = new Map<string, Pair>();
  const pair = new RegExp(PAIR);
  for (let next: string | undefined = ";"; next === ";"; ) {
    const [found, key = "", quoted, bare, end] = pair.exec(value) ?? [];
    if (found === undefined) throw new ForwardedFault("not one element of key=value pairs");
    if (pairs.has(key) && !REPEATABLE.has(key)) throw new ForwardedFault(`${key} is repeated`);
    pairs.set(key, { quoted, bare });
    next = end;
  }
  return pairs;
}

function requireQuoted(pair: Pair | undefined): string {
  if (pair?.quoted === undefined) throw new ForwardedFault("no certificate in quotes");
  return pair.quoted;
}

function requireHash(pair: Pair | undefined, der: Buffer): void {
  if (pair === undefined) return;
  const hash = createHash("sha256").update(der).digest("hex");
  if ((pair.quoted ?? pair.bare) !== hash) throw new ForwardedFault("Hash does not match Cert");
}

/** Reads Envoy's chain, which begins with the leaf. */
function readChain(text: string, der: Buffer): readonly Buffer[] {
  const [leaf, ...intermediates] = decodeEscapedPem(text, INTERMEDIATES_LIMIT + 1);
  if (!leaf.equals(der)) throw new ForwardedFault("Chain does not begin with Cert");
  return intermediates;
}
