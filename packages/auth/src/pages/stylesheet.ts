import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file for the browser; its name changes with its content, so that it may be kept for ever. */
export interface Asset {
  readonly fileName: string;
  readonly type: string;
  readonly body: Buffer;
}

const FILE = new URL("../../assets/pages.css", import.meta.url);
const HASH_CHARACTERS = 16;

/** Reads the one stylesheet. */
export function loadStylesheet(): Asset {
  const body = readFileSync(FILE);
  const hash = createHash("sha256").update(body).digest("hex").slice(0, HASH_CHARACTERS);
  return { fileName: `pages.${hash}.css`, type: "text/css; charset=utf-8", body };
}
