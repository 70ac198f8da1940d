/**
 * Reasons why the register's file cannot be used today; nobody is blocked or released then:
 * - `register_missing`: the file does not exist or cannot be opened
 * - `register_unreadable`: not the JSON of the register, truncated, or without any known TPP where it had some before
 * - `register_old`: its newest entry is older than the operator allows
 */
export type RegisterRefusalCode = "register_missing" | "register_unreadable" | "register_old";

/** Refusal of an unusable register file; `detail` is for the log. */
export class RegisterRefusal extends Error {
  override readonly name = "RegisterRefusal";
  readonly code: RegisterRefusalCode;
  readonly detail: string;

  constructor(code: RegisterRefusalCode, detail: string) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}
