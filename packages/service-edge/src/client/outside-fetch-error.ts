/** A source outside the bank was not asked, or gave nothing usable; the message is only for the log. */
export class OutsideFetchError extends Error {
  /** Status of a whole answer that is not 200; undefined if there was none. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.name = "OutsideFetchError";
    this.status = status;
  }
}
