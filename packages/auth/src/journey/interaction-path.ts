import type { KeyObject } from "node:crypto";
import type { FormTarget } from "../pages/page-view.ts";
import { type FormPurpose, formToken } from "./form-token.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

/** The page at which a pending authorization goes on; its cookie is sent there and below. */
export function interactionPath(pending: Pick<PendingAuthorization, "uid">): string {
  return `/oauth/interaction/${encodeURIComponent(pending.uid)}`;
}

/** Where a form of this interaction is posted to, with its token. */
export function formTarget(key: KeyObject, pending: PendingAuthorization, purpose: FormPurpose): FormTarget {
  return { action: `${interactionPath(pending)}/${purpose}`, token: formToken(key, pending, purpose) };
}
