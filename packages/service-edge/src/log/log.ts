import { type DestinationStream, type Logger, pino } from "pino";
import { writeTogether } from "./write-together.ts";

/** One JSON line per event. Tokens, secrets, IBANs and bodies never go in: callers pass named facts, not objects. */
export type Log = Logger;

/**
 * A process log on standard output (or `destination`); error objects are cut to code, message and reason. Standard output gets its
 * lines a tenth of a second late, and at once when the process ends by itself or says `fatal`.
 */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const options = {
    base: { service },
    level,
    serializers: { error: describeError },
    timestamp: timeOfLine(),
  };
  return pino(options, destination ?? writeTogether());
}

/** The time of a line, ISO 8601 in UTC; the text of a millisecond is made once. */
function timeOfLine(): () => string {
  let [at, text] = [Number.NaN, ""];
  return () => {
    const now = Date.now();
    if (now !== at) [at, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
}

/** What the log may know of an unexpected error: its class, code, message, the reason that it names and where it was thrown. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : undefined;
  return { name: error.name, code, message: error.message, reason, stack: error.stack };
}
