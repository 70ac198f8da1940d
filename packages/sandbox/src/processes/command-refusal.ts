/** A command that ends without what was asked; message and hint are for the person at the terminal. */
export class CommandRefusal<Code extends string = string> extends Error {
  /** Why, for programs. */
  readonly code: Code;
  readonly exitCode: number;
  /** What to do instead. */
  readonly hint: string | undefined;

  constructor(
    ending: { readonly code: Code; readonly exitCode: number },
    message: string,
    hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
    this.code = ending.code;
    this.exitCode = ending.exitCode;
    this.hint = hint;
  }
}
