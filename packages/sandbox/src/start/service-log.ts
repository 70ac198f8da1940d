import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const LIMIT_BYTES = 5_000_000;
const TAIL_LINES = 15;

/** Opens a log for appending; beyond 5 MB it is first renamed to `<name>.1`, replacing the previous one. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (sizeOf(path) > LIMIT_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

/** Closes what {@link openLog} opened, once a child has it. */
export function closeLog(descriptor: number): void {
  closeSync(descriptor);
}

/** Appends lines to our own log. */
export function appendToLog(path: string): { write(line: string): void } {
  closeLog(openLog(path));
  return { write: (line) => appendFileSync(path, line) };
}

/** The last lines of a log, or of what follows its first `start` octets, for an error message. */
export function logTail(path: string, start = 0): string {
  const written = readFileSync(path).subarray(start).toString("utf8");
  return written.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}

/** Length of a log in octets; 0 if there is none. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
