import { createHash } from "node:crypto";

/** A file for the browser. Its name changes with its content, so that browsers may cache it for ever. */
export interface Asset {
  readonly fileName: string;
  readonly type: string;
  readonly body: Buffer;
  /** A policy for a file that a browser could also open as a page. */
  readonly contentSecurityPolicy?: string;
}

const HASH_CHARACTERS = 16;
const TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
} as const;

/** Makes a file, named after its content. */
export function makeAsset(name: string, ending: keyof typeof TYPES, body: Buffer): Asset {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, HASH_CHARACTERS);
  return { fileName: `${name}.${hash}.${ending}`, type: TYPES[ending], body };
}
