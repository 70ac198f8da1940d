/** What is wrong with a database that answers, and that no waiting mends. */
export type DatabaseUnsuitableCode =
  /** It has the migrations of another service, or of something else. */
  | "of_another_service"
  /** It has had no migration, where one is wanted that has been in use. */
  | "never_migrated"
  /** What is reached through the pooler is another database than what is reached without it. */
  | "behind_pooler_another"
  /** It cannot keep every name of a person: its encoding is not UTF-8. */
  | "not_utf8"
  /** Its server, or whoever made the role, has chosen settings with which our statements do something else. */
  | "other_settings"
  /** The role of the URL cannot bring the schema up to date. */
  | "role_without_rights"
  /** What it keeps sealed does not open with the sealing key of the configuration. */
  | "sealed_otherwise";

/** A database that a service must not begin on. Beyond its schema nothing in it was changed. The message is for the operator. */
export class DatabaseUnsuitable extends Error {
  readonly code: DatabaseUnsuitableCode;

  constructor(code: DatabaseUnsuitableCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseUnsuitable";
    this.code = code;
  }
}
