/**
 * Refuses an answer of auth that cannot be believed, so that the caller knows nothing; `detail` is for the log. Each kind of
 * answer has its own codes.
 */
export class AuthAnswerRefusal<Code extends string = string> extends Error {
  readonly code: Code;
  readonly detail: string;
  /** What jobs log about it. */
  readonly reason: string;

  constructor(code: Code, detail: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.detail = detail;
    this.reason = detail;
  }
}
