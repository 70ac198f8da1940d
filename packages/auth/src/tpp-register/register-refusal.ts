/**
 * Why the register's file says nothing today; nobody is blocked or released for it:
 * - `register_missing`: there is no such file, or it cannot be opened
 * - `register_unreadable`: not the JSON of the register, cut off, or without any known TPP where it had some
 * - `register_old`: its newest entry is older than the operator allows
 */
export type RegisterRefusalCode = "register_missing" | "register_unreadable" | "register_old";

/** A file of the register that is not used; `detail` is for the log. */
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
