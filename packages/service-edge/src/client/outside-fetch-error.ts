/** A source outside the bank was not asked, or gave nothing usable; the message is only for the log. */
export class OutsideFetchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutsideFetchError";
  }
}
