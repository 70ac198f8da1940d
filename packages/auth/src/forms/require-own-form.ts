import type { KeyObject } from "node:crypto";
import type { IncomingCall } from "@cobs/service-edge";
import { singleField } from "./form-fields.ts";
import { FormRefusal } from "./form-refusal.ts";
import { type FormBinding, formToken, isFormToken } from "./form-token.ts";
import type { PostedForm } from "./posted-form.ts";

/** Where a form comes from, according to its browser. */
export interface FormSource {
  /** `Origin`; our own pages send the word `null`, because of their `no-referrer`. */
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` (W3C Fetch Metadata). */
  readonly fetchSite: string | undefined;
  /** Our own origin, with the host that the listener accepted. */
  readonly ownOrigin: string;
}

/** Reads the headers that tell where a form comes from. */
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
 * Refuses with `form_untrusted` a form that the browser itself says comes from another site, and every form that we did not
 * render for exactly this purpose (OWASP ASVS 3.5.1).
 */
export function requireOwnForm({ fields, source }: PostedForm, key: KeyObject, bound: FormBinding): void {
  requireOwnSource(source);
  if (isFormToken(singleField(fields, "token"), formToken(key, bound))) return;
  throw new FormRefusal("form_untrusted", "the token does not belong to this form");
}

/** Whether {@link requireOwnForm} lets a form pass. */
export function isOwnForm({ fields, source }: PostedForm, key: KeyObject, bound: FormBinding): boolean {
  return isOwnSource(source) && isFormToken(singleField(fields, "token"), formToken(key, bound));
}

/** Whether a form may be our own, as far as the browser says where it comes from. */
export function isOwnSource(source: FormSource): boolean {
  return whyForeign(source) === undefined;
}

function requireOwnSource(source: FormSource): void {
  const why = whyForeign(source);
  if (why !== undefined) throw new FormRefusal("form_untrusted", why);
}

function whyForeign({ origin, fetchSite, ownOrigin: own }: FormSource): string | undefined {
  if (fetchSite !== undefined && fetchSite !== "same-origin") return "Sec-Fetch-Site is not same-origin";
  if (origin !== undefined && origin !== "null" && origin !== own) return "Origin is not our own";
  return undefined;
}
