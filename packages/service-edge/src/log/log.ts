import { type DestinationStream, type Logger, pino } from "pino";
import { writeTogether } from "./write-together.ts";

/** One JSON line per event. Tokens, secrets, IBANs and bodies never go in: callers pass named facts, not objects. */
export type Log = Logger;

/**
 * Creates a process log on standard output (or `destination`); error objects are cut to code, message and reason. Lines reach
 * standard output up to a tenth of a second late, but at once when the process ends by itself or logs `fatal`.
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

/** Returns the time of a line, ISO 8601 in UTC; the text of a millisecond is made once. */
function timeOfLine(): () => string {
  let [at, text] = [Number.NaN, ""];
  return () => {
    const now = Date.now();
    if (now !== at) [at, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
}

/** Describes an unexpected error for the log: its class, code, message, stated reason and where it was thrown. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : undefined;
  return { name: error.name, code, message: error.message, reason, stack: error.stack };
}
