/** Why it ended, beside the words for people. */
export interface RefusalOptions extends ErrorOptions {
  /** The errors that a server answered, as it told them. */
  readonly errors?: readonly unknown[];
}

/** A command that ends without what was asked; message and hint are for the person at the terminal. */
export class CommandRefusal<Code extends string = string> extends Error {
  /** Why, for programs. */
  readonly code: Code;
  readonly exitCode: number;
  /** What to do instead. */
  readonly hint: string | undefined;
  /** What a server has told a program, absent where none refused or it told no list. */
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
