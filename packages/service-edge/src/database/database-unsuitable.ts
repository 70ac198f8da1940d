/** Faults of a database that answers, none of which waiting will repair. */
export type DatabaseUnsuitableCode =
  /** It has the migrations of another service, or of something else. */
  | "of_another_service"
  /** It has never been migrated, but the program needs one that has been in use. */
  | "never_migrated"
  /** The pooler leads to another database than the direct URL. */
  | "behind_pooler_another"
  /** It cannot store every person's name: its encoding is not UTF-8. */
  | "not_utf8"
  /** Its server, or whoever made the role, has chosen settings that change what our statements do. */
  | "other_settings"
  /** The role of the URL cannot bring the schema up to date. */
  | "role_without_rights"
  /** A table already has the id that its sequence would give next. */
  | "sequences_behind"
  /** What it keeps sealed does not open with the configured sealing key. */
  | "sealed_otherwise";

/** A database with which a service must not start. Nothing but its schema was changed. The message is for the operator. */
export class DatabaseUnsuitable extends Error {
  readonly code: DatabaseUnsuitableCode;

  constructor(code: DatabaseUnsuitableCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseUnsuitable";
    this.code = code;
  }
}
