import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import chain from "stream-chain";
import { pick } from "stream-json/filters/pick.js";
import { parser } from "stream-json/parser.js";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { type RegisterEntry, readRegisterEntry } from "./register-entry.ts";
import type { IsoDay, RegisterStanding } from "./register-finding.ts";
import { RegisterRefusal } from "./register-refusal.ts";
import { standingOn, together } from "./register-standing.ts";

/** Contents of the file. */
export interface RegisterReading {
  /** Day of its newest entry; entries dated ahead do not count, because they say nothing about the age of the file. */
  readonly newestDay: IsoDay;
  /** Standings of the wanted TPPs that have an entry. */
  readonly standings: ReadonlyMap<string, RegisterStanding>;
}

/** TPPs to look for in the file. */
export interface RegisterQuestion {
  readonly path: string;
  /** Organisation identifiers of the TPPs that have called. */
  readonly wanted: ReadonlySet<string>;
  readonly day: IsoDay;
  readonly signal: AbortSignal;
}

// The file has over 200 MB, most of it agents. It is read slowly, in pieces that take a millisecond or two, because the same
// process answers requests; there is a whole day for it.
const PIECE_OCTETS = 16_384;
const PAUSE_MILLISECONDS = 4;

/** The file is `[[disclaimer], [entries]]`. */
const ENTRIES = "1";

async function* pieces({ path, signal }: RegisterQuestion): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_OCTETS, signal })) {
    yield piece;
    await delay(PAUSE_MILLISECONDS, undefined, { signal });
  }
}

async function* entriesOf(question: RegisterQuestion): AsyncGenerator<RegisterEntry> {
  const elements = chain([
    Readable.from(pieces(question)),
    parser({ streamValues: false }),
    pick({ filter: ENTRIES }),
    streamArray(),
  ]);
  for await (const { value } of elements) {
    const entry = readRegisterEntry(value);
    if (entry !== undefined) yield entry;
  }
}

async function readEntries(question: RegisterQuestion): Promise<RegisterReading> {
  const standings = new Map<string, RegisterStanding>();
  let newestDay = "";
  for await (const entry of entriesOf(question)) {
    const { versionDay = "" } = entry;
    if (versionDay > newestDay && versionDay <= question.day) newestDay = versionDay;
    const standing = standingOn(question.day, entry);
    for (const identifier of entry.identifiers)
      if (question.wanted.has(identifier))
        standings.set(identifier, together(standings.get(identifier), standing));
  }
  return { newestDay, standings };
}

function refusalOf(error: unknown): RegisterRefusal {
  const isOfFile = error instanceof Error && "syscall" in error;
  const detail = error instanceof Error ? error.message : "unreadable";
  return new RegisterRefusal(isOfFile ? "register_missing" : "register_unreadable", detail);
}

/**
 * Reads the register's file once, from end to end, with little memory. Refuses with `register_missing` or `register_unreadable`;
 * its age is not checked yet. Rejects with the signal's reason when aborted.
 */
export async function readRegisterFile(question: RegisterQuestion): Promise<RegisterReading> {
  const reading = await readEntries(question).catch((error: unknown) => {
    question.signal.throwIfAborted();
    throw refusalOf(error);
  });
  if (reading.newestDay === "") throw new RegisterRefusal("register_unreadable", "it has no entries");
  return reading;
}
