import type { KeyObject } from "node:crypto";
import type { IncomingCall } from "@cobs/service-edge";
import { type FormFields, singleField } from "./form-fields.ts";
import { type FormPurpose, formToken, isFormToken } from "./form-token.ts";
import { JourneyRefusal } from "./journey-refusal.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

/** Where a browser says that a form comes from. */
export interface FormSource {
  /** `Origin`; the word `null` is what our own pages send, because of their `no-referrer`. */
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` (W3C Fetch Metadata). */
  readonly fetchSite: string | undefined;
  /** Our own origin, with the host that the listener has accepted. */
  readonly ownOrigin: string;
}

/** Reads the headers that tell the source of a form. */
export function readFormSource(call: Pick<IncomingCall, "header">): FormSource {
  return {
    origin: call.header("origin"),
    fetchSite: call.header("sec-fetch-site"),
    ownOrigin: ownOrigin(call),
  };
}

/** The origin under which the PSU sees us; the listener has checked the Host header against its list. */
export function ownOrigin(call: Pick<IncomingCall, "header">): string {
  return `https://${(call.header("host") ?? "").toLowerCase()}`;
}

/**
 * Refuses with `form_untrusted` what a browser itself says to come from another site, and every form that we did not render
 * for this interaction in its present step (OWASP ASVS 3.5.1).
 */
export function requireOwnForm(
  form: { readonly fields: FormFields; readonly source: FormSource; readonly purpose: FormPurpose },
  pending: PendingAuthorization,
  key: KeyObject,
): void {
  requireOwnSource(form.source);
  if (isFormToken(singleField(form.fields, "token"), formToken(key, pending, form.purpose))) return;
  throw new JourneyRefusal("form_untrusted", `the token is not that of the ${form.purpose} form`);
}

function requireOwnSource({ origin, fetchSite, ownOrigin }: FormSource): void {
  if (fetchSite !== undefined && fetchSite !== "same-origin") {
    throw new JourneyRefusal("form_untrusted", "Sec-Fetch-Site is not same-origin");
  }
  if (origin !== undefined && origin !== "null" && origin !== ownOrigin) {
    throw new JourneyRefusal("form_untrusted", "Origin is another one");
  }
}
