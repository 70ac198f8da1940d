import type { IncomingCall } from "@cobs/service-edge";
import { type FormFields, readFormFields } from "./form-fields.ts";
import { type FormSource, readFormSource } from "./require-own-form.ts";

/** A posted form, with what its browser says about where it came from. */
export interface PostedForm {
  readonly fields: FormFields;
  readonly source: FormSource;
}

/** Reads the form of a call whose route takes one. */
export function readPostedForm(call: IncomingCall): PostedForm {
  return { fields: readFormFields(call.body), source: readFormSource(call) };
}
