import { readFileSync } from "node:fs";

/** Where Linux tells a process its limits; other systems have no such file. */
const LIMITS_FILE = "/proc/self/limits";
/** Share of its open files that a process keeps for all but its callers: database, other services, operators, its own files. */
const KEPT_SHARE = 1 / 4;

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
 * Most connections that the TLS listeners of this process may hold together. Beyond the limit on open files, everything fails at
 * once: connections to the database, the question whether the process is ready, and for good the handing on of connections
 * among several processes, of which Node loses one whose receiver has no file left. `limits` is the text of Linux.
 */
export function connectionsThatFit(limits = readLimits()): number {
  return Math.floor(mostOpenFiles(limits) * (1 - KEPT_SHARE));
}

/**
 * Whether this process may hold as many connections on one listener as its configuration lets in, in a sentence for a person if
 * not. `limits` is the text of Linux.
 */
export function doubtOpenFiles(maxConnections: number, limits = readLimits()): readonly string[] {
  const fitting = connectionsThatFit(limits);
  if (fitting >= maxConnections) return [];
  return [
    `MAX_CONNECTIONS is ${maxConnections}, but this process may open only ${mostOpenFiles(limits)} files (ulimit -n, LimitNOFILE): its listeners take ${fitting} connections together`,
  ];
}
