/** A command that ends without what was asked, because the command line or what it names is not right. */
export class CertsRefusal extends Error {
  /** What to do instead, for the person at the terminal. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CertsRefusal";
    this.hint = hint;
  }
}
