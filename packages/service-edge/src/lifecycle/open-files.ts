import { readFileSync } from "node:fs";

/** Where Linux tells a process its limits; other systems have no such file. */
const LIMITS_FILE = "/proc/self/limits";

function readLimits(): string {
  try {
    return readFileSync(LIMITS_FILE, "utf8");
  } catch {
    return "";
  }
}

/**
 * Whether this process may hold as many connections on one listener as its configuration lets in, in a sentence for a person if
 * not: beyond the limit on open files, connections are closed on arrival, also those that ask whether the process is ready.
 * `limits` is the text of Linux; a limit that it does not tell is none.
 */
export function doubtOpenFiles(maxConnections: number, limits = readLimits()): readonly string[] {
  const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
  if (!(most < maxConnections)) return [];
  return [
    `MAX_CONNECTIONS is ${maxConnections}, but this process may open only ${most} files (ulimit -n, LimitNOFILE)`,
  ];
}
