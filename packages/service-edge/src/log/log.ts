import { type DestinationStream, type Logger, pino } from "pino";

/** One JSON line per event. Tokens, secrets, IBANs and bodies never go in: callers pass named facts, not objects. */
export type Log = Logger;

/** A process log on standard output (or `destination`); error objects are cut to code and message. */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const options = {
    base: { service },
    level,
    serializers: { error: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** What the log may know of an unexpected error: its class, code, message and where it was thrown. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { name: error.name, code, message: error.message, stack: error.stack };
}
