import { createHash } from "node:crypto";

/** A file for the browser; its name changes with its content, so that it may be kept for ever. */
export interface Asset {
  readonly fileName: string;
  readonly type: string;
  readonly body: Buffer;
  /** The one policy that a file needs which a browser could also be led to as a page. */
  readonly contentSecurityPolicy?: string;
}

const HASH_CHARACTERS = 16;

/** Names a file after its content. */
export function nameAsset(name: string, ending: string, body: Buffer): string {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, HASH_CHARACTERS);
  return `${name}.${hash}.${ending}`;
}
