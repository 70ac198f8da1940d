import type { KeyObject } from "node:crypto";
import { type FormBinding, formToken } from "../forms/form-token.ts";
import type { FormTarget } from "../pages/page-view.ts";
import { placeOf } from "../sign-in/sign-in-purpose.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

/** The forms of the journey; a token of one is worthless for another. The sign-in makes the token of its own form. */
export type FormPurpose = "sign-in" | "consent" | "cancel";

/** The page where a pending authorization goes on; its cookie is sent there and below. */
export function interactionPath({ uid }: Pick<PendingAuthorization, "uid">): string {
  return placeOf({ kind: "authorization", uid });
}

/** What a form is bound to: this interaction, in its present step, and its PSU. */
export function bindingOf(pending: PendingAuthorization, purpose: FormPurpose): FormBinding {
  return [pending.uid, purpose, pending.step, pending.signIn?.psu ?? ""];
}

/** Where a form of this interaction is posted to, with its token. */
export function formTarget(key: KeyObject, pending: PendingAuthorization, purpose: FormPurpose): FormTarget {
  const token = formToken(key, bindingOf(pending, purpose));
  return { action: `${interactionPath(pending)}/${purpose}`, token };
}
