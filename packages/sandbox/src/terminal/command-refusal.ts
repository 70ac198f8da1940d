/** Reasons of a refusal besides its message. */
export interface RefusalOptions extends ErrorOptions {
  /** The errors in a server's answer, as received. */
  readonly errors?: readonly unknown[];
}

/** A command failed; message and hint are for the person at the terminal. */
export class CommandRefusal<Code extends string = string> extends Error {
  /** The reason, for programs. */
  readonly code: Code;
  readonly exitCode: number;
  /** What to do instead. */
  readonly hint: string | undefined;
  /** A server's list of errors, for programs; undefined if no server refused or it gave no list. */
  readonly errors: readonly unknown[] | undefined;

  constructor(
    ending: { readonly code: Code; readonly exitCode: number },
    message: string,
    hint?: string,
    options?: RefusalOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
    this.code = ending.code;
    this.exitCode = ending.exitCode;
    this.hint = hint;
    this.errors = options?.errors;
  }
}
