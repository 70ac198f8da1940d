import { RedisUnavailable } from "../redis/redis-unavailable.ts";

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  // PostgreSQL: connection exceptions, shutting down, too many connections, statement cancelled by its limit, disk or
  // memory full, a standby that has not taken over yet.
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "57014",
  "25P03",
  "53100",
  "53200",
  "25006",
  // PgBouncer says so of everything that it cannot do for the moment, in the words of the protocol.
  "08P01",
]);

const CONNECTION_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed/;

/**
 * No connection can be made although a server answers: our password was changed, its certificate has expired, or we
 * may no longer use the database. It has the code and message of its cause.
 */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  }
}

/** Whether an error says that the database, or Redis beside it, cannot answer now: the caller should try again later (503). */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof RedisUnavailable || error instanceof DatabaseUnreachable) return true;
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && CONNECTION_CODES.has(error.code)) return true;
  return CONNECTION_MESSAGES.test(error.message);
}
