/**
 * Why a form of our pages is not accepted; a refused form has changed nothing:
 * - `form_untrusted`: it does not come from a page of ours in its present step (CSRF, an out-of-date tab)
 * - `form_malformed`: a field is missing, came more than once or has a value that our page does not offer
 */
export type FormRefusalCode = "form_untrusted" | "form_malformed";

/** A form that is refused as a whole; `detail` is only for the log. */
export class FormRefusal extends Error {
  override readonly name = "FormRefusal";
  readonly code: FormRefusalCode;
  readonly detail: string;

  constructor(code: FormRefusalCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}
