/**
 * Why no PostgreSQL server is available:
 * - `platform-unsupported`: there are no binaries for this platform, or they cannot run on it;
 * - `other-major-version`: the folder was written by another major version;
 * - `folder-inaccessible`: the folder belongs to another operating-system user;
 * - `root-only`: we are root, and no unprivileged identity can be found that reaches the folder;
 * - `port-taken`: the given port is in use;
 * - `folder-in-use`: another server works on the folder and can neither be attached to nor waited for;
 * - `did-not-start`: PostgreSQL ended before it was ready, or took too long.
 */
export type PostgresRefusalCode =
  | "platform-unsupported"
  | "other-major-version"
  | "folder-inaccessible"
  | "root-only"
  | "port-taken"
  | "folder-in-use"
  | "did-not-start";

/** No server is available; the message is for the person at the terminal, says what to do, and holds no secret. */
export class PostgresRefusal extends Error {
  readonly code: PostgresRefusalCode;

  constructor(code: PostgresRefusalCode, message: string) {
    super(message);
    this.name = "PostgresRefusal";
    this.code = code;
  }
}
