import { type KeyObject, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../sealing/sealing.ts";
import type { FencedKey } from "./fenced-redis.ts";

/** Derives the key of the marks of all records from the sealing key; the same in every process. */
export function deriveRecordKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "redis-records");
}

/** Length of an HMAC-SHA-256 in base64url. */
const MARK_LENGTH = 43;

/** How records are marked, and a callback for records without a mark of ours. */
export interface RecordMarks {
  readonly key: KeyObject;
  readonly onForeign: (kind: string) => void;
}

/** Writes a record behind a mark which proves that auth wrote it under this key: a session names who is signed in. */
export function presentRecord(markKey: KeyObject, key: FencedKey, record: object): string {
  const text = JSON.stringify(record);
  return `${markOf(markKey, key, text)}${text}`;
}

/** Reads a record that `presentRecord` wrote for this key; undefined for any other, whoever wrote it. */
export function parseRecord<Kept extends object>(
  { key: markKey, onForeign }: RecordMarks,
  key: FencedKey,
  kept: string,
): Kept | undefined {
  const text = kept.slice(MARK_LENGTH);
  const given = Buffer.from(kept.slice(0, MARK_LENGTH));
  const expected = Buffer.from(markOf(markKey, key, text));
  if (given.length === expected.length && timingSafeEqual(given, expected)) {
    const record: Kept = JSON.parse(text);
    return record;
  }
  onForeign(key.kind);
  return undefined;
}

function markOf(markKey: KeyObject, { kind, hash }: FencedKey, text: string): string {
  return authenticate(markKey, `${kind}:${hash.toString("base64url")}:${text}`).toString("base64url");
}
