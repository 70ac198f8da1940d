import { readFileSync } from "node:fs";

/** Where Linux tells a process its limits; other systems have no such file. */
const LIMITS_FILE = "/proc/self/limits";
/**
 * Share of its open files that the connections of all its callers take; the rest is for its database, other services, operators
 * and its own files.
 */
const CALLERS_SHARE = 3 / 4;
/** Share at which strangers get no more of them: however many they open, the services and operators of the bank get in. */
const STRANGERS_SHARE = 5 / 8;

function readLimits(): string {
  try {
    return readFileSync(LIMITS_FILE, "utf8");
  } catch {
    return "";
  }
}

/** Most files that this process may have open, as the text of Linux says; a limit that it does not tell is none. */
function mostOpenFiles(limits: string): number {
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

/**
 * Most connections that the TLS listeners of this process may hold together, where the bank's own callers open one, and where
 * strangers do. Beyond the limit on open files, everything fails at once: connections to the database, the question whether the
 * process is ready, and for good the handing on of connections among several processes, of which Node loses one whose receiver
 * has no file left. `limits` is the text of Linux.
 */
export function connectionsThatFit(limits = readLimits()): {
  readonly ofBank: number;
  readonly ofStrangers: number;
} {
  const files = mostOpenFiles(limits);
  return { ofBank: Math.floor(files * CALLERS_SHARE), ofStrangers: Math.floor(files * STRANGERS_SHARE) };
}

/**
 * Whether this process may hold as many connections on one listener as its configuration lets in, in a sentence for a person if
 * not. `limits` is the text of Linux.
 */
export function doubtOpenFiles(maxConnections: number, limits = readLimits()): readonly string[] {
  const { ofStrangers } = connectionsThatFit(limits);
  if (ofStrangers >= maxConnections) return [];
  return [
    `MAX_CONNECTIONS is ${maxConnections}, but this process may open only ${mostOpenFiles(limits)} files (ulimit -n, LimitNOFILE): its listeners take ${ofStrangers} connections together`,
  ];
}
