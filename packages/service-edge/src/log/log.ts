import { type DestinationStream, type Logger, pino } from "pino";

/** One JSON line per event. Tokens, secrets, IBANs and bodies never go in: callers pass named facts, not objects. */
export type Log = Logger;

const STANDARD_OUTPUT = 1;
/** Lines are written together, when there are so many bytes or so much time has passed: each write is a call of the kernel. */
const WRITTEN_TOGETHER = { minLength: 8_192, periodicFlush: 100 } as const;

/**
 * A process log on standard output (or `destination`); error objects are cut to code and message. Standard output gets its
 * lines a tenth of a second late, and at once when the process ends by itself or says `fatal`; whoever reads it slowly does not
 * hold calls up.
 */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const options = {
    base: { service },
    level,
    serializers: { error: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(
    options,
    destination ?? pino.destination({ dest: STANDARD_OUTPUT, sync: false, ...WRITTEN_TOGETHER }),
  );
}

/** What the log may know of an unexpected error: its class, code, message and where it was thrown. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { name: error.name, code, message: error.message, stack: error.stack };
}
