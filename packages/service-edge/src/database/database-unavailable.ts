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
  // PostgreSQL: a statement or transaction cut by our limit or by the server's own limit for statements, locks or
  // transactions; a standby that has not taken over yet; a disk that cannot be read or written.
  "57014",
  "55P03",
  "25P03",
  "25P04",
  "25006",
  "58030",
]);

/**
 * Error classes of PostgreSQL: connection exceptions, which PgBouncer uses for everything that it cannot do at the moment;
 * connections, disk or memory used up; a connection that the server ends, even if only because it was idle.
 */
const CONNECTION_CLASSES = /^(08|53|57P)/;

const CONNECTION_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error|Client was closed/;

/**
 * No connection can be made although a server answers: our password was changed, its certificate has expired, or we may no
 * longer use the database. Has the code and message of its cause.
 */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  }
}

/** Too many transactions of this process want what only one at a time may do in the database. */
export class NoTurn extends Error {
  override readonly name = "NoTurn";

  constructor(waitedMilliseconds: number) {
    super(`no turn for an exclusive transaction within ${waitedMilliseconds} ms`);
  }
}

/** Others wrote the same thing first, at every attempt. */
export class AlwaysOvertaken extends Error {
  override readonly name = "AlwaysOvertaken";

  constructor(tries: number) {
    super(`another transaction was first, ${tries} times`);
  }
}

/**
 * Whether the database has rolled back a transaction because of another one (class 40), as when a migration or somebody at its
 * console locks in the opposite order and so causes a deadlock. Repeated alone, the transaction will succeed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^40/.test(String(error.code));
}

/** Whether any further question to the database would fail as well. */
export function isDatabaseAway(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !isRolledBack(error) && !isOfMany(error);
}

/**
 * Whether an error says that the database, or Redis beside it, cannot answer now, so that the caller should try again later
 * (503).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof RedisUnavailable || isItselfUnavailable(error);
}

/** Whether it is the database itself that cannot answer, rather than Redis, for which a transaction may wait too. */
export function isItselfUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  if (isOfMany(error) || isRolledBack(error)) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (CONNECTION_CODES.has(code) || CONNECTION_CLASSES.test(code)) return true;
  return CONNECTION_MESSAGES.test(error.message);
}

/** Whether it failed because many want the same thing. */
function isOfMany(error: unknown): boolean {
  return error instanceof NoTurn || error instanceof AlwaysOvertaken;
}
