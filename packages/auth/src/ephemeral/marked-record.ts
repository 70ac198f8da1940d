import { type KeyObject, timingSafeEqual } from "node:crypto";
import { authenticate, deriveKey } from "../sealing/sealing.ts";
import type { FencedKey } from "./fenced-redis.ts";

/** The key of the marks of all records, from the sealing key; the same in every process. */
export function deriveRecordKey(sealingKey: KeyObject): KeyObject {
  return deriveKey(sealingKey, "redis-records");
}

/** How records are marked, and who hears of one that bears no mark of ours. */
export interface RecordMarks {
  readonly key: KeyObject;
  readonly onForeign: (kind: string) => void;
}

/** A record as it is kept under its key, with the mark that we wrote it there: a session names who is signed in. */
export function presentRecord(markKey: KeyObject, key: FencedKey, record: object): string {
  return JSON.stringify({ ...record, mark: markOf(markKey, key, record).toString("base64url") });
}

/** The record that `presentRecord` wrote for this key; undefined for every other one, whoever wrote it. */
export function parseRecord<Kept extends object>(
  { key: markKey, onForeign }: RecordMarks,
  key: FencedKey,
  text: string,
): Kept | undefined {
  const { mark, ...record } = readObject<Kept & { readonly mark?: unknown }>(text);
  const [given, expected] = [Buffer.from(String(mark), "base64url"), markOf(markKey, key, record)];
  if (given.length === expected.length && timingSafeEqual(given, expected)) return record as Kept;
  onForeign(key.kind);
  return undefined;
}

/** What is no object, or no JSON, is read as one without members. */
function readObject<Read extends object>(text: string): Partial<Read> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function markOf(markKey: KeyObject, { kind, hash }: FencedKey, record: object): Buffer {
  return authenticate(markKey, JSON.stringify([kind, hash.toString("base64url"), record]));
}
