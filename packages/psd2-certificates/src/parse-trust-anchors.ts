import type { TrustAnchors } from "./trust-anchors.ts";

/** Reads an anchor file (text, or what it parses to); throws a `TrustAnchorFileError` that lists every fault. */
export function parseTrustAnchors(json: unknown): TrustAnchors {
  throw new Error(`not built yet: ${typeof json}`);
}
