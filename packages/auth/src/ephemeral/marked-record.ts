import { type KeyObject, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../sealing/sealing.ts";
import type { FencedKey } from "./fenced-redis.ts";

/** The key of the marks of all records, from the sealing key; the same in every process. */
export function deriveRecordKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "redis-records");
}

/** Of SHA-256, as base64url. */
const MARK_LENGTH = 43;

/** How records are marked, and who hears of one that bears no mark of ours. */
export interface RecordMarks {
  readonly key: KeyObject;
  readonly onForeign: (kind: string) => void;
}

/** A record as it is kept under its key, behind the mark that we wrote it there: a session names who is signed in. */
export function presentRecord(markKey: KeyObject, key: FencedKey, record: object): string {
  const text = JSON.stringify(record);
  return `${markOf(markKey, key, text)}${text}`;
}

/** The record that `presentRecord` wrote for this key; undefined for every other one, whoever wrote it. */
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
