import { type TppIdentity, thumbprintOf } from "@cobs/psd2-certificates";
import type { IncomingCall } from "@cobs/service-edge";
import type { AccessToken } from "../introspection/access-token.ts";
import type { ActiveToken } from "../introspection/token-introspection.ts";
import type { Continuation } from "../limits/limit-refusal.ts";
import type { AdmissionNeeds } from "./admission.ts";
import { AdmissionRefusal, type AdmissionRefusalCode } from "./admission-refusal.ts";
import { readAccessToken } from "./read-access-token.ts";

/** A call on its way to an admission, with the needs of its resource. Each type below has proven one thing more. */
export interface Attempt<Needs extends AdmissionNeeds = AdmissionNeeds> {
  readonly call: IncomingCall;
  readonly needs: Needs;
  readonly now: Date;
}

/** The certificate is verified: the TPP is known. */
export interface OfTpp<Needs extends AdmissionNeeds = AdmissionNeeds> extends Attempt<Needs> {
  readonly tpp: TppIdentity;
}

/** A token was sent in the one place for it. */
export interface WithToken<Needs extends AdmissionNeeds = AdmissionNeeds> extends OfTpp<Needs> {
  readonly token: AccessToken;
}

/** The token is active and meant for this resource server. */
export interface WithActiveToken<Needs extends AdmissionNeeds = AdmissionNeeds> extends OfTpp<Needs> {
  readonly active: ActiveToken;
}

/** Creates the refusal of an attempt, with what is known about the call for the challenge and the log. */
export function refusalOf(
  attempt: Attempt & { readonly tpp?: TppIdentity; readonly continues?: Continuation },
  code: AdmissionRefusalCode,
  detail: string,
): AdmissionRefusal {
  const { call, needs, tpp, continues } = attempt;
  const presented = call.presentedCertificate;
  return new AdmissionRefusal(code, detail, {
    thumbprint: presented === undefined ? undefined : thumbprintOf(presented.der),
    twinThumbprint: tpp?.twinThumbprint,
    organisationIdentifier: tpp?.organisationIdentifier,
    role: needs.role,
    scope: needs.token === "none" ? undefined : needs.scope,
    tokenWasSent: readAccessToken(call).kind !== "absent",
    continues,
  });
}
