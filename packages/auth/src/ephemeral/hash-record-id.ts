import { hash } from "node:crypto";

/** What a record is stored under: the SHA-256 of what its holder presents, 32 bytes. */
export function hashRecordId(id: string): Buffer {
  return hash("sha256", id, "buffer");
}
