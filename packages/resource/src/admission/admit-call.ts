import type { TppVerification } from "@cobs/psd2-certificates";
import type { Clock, IncomingCall } from "@cobs/service-edge";
import type { TokenIntrospection } from "../introspection/token-introspection.ts";
import type { StopList } from "../stop-list/stop-list.ts";
import type {
  Admission,
  AdmissionNeeds,
  OptionalPsuNeeds,
  PsuAdmission,
  PsuNeeds,
  TppAdmission,
} from "./admission.ts";
import { AdmissionRefusal } from "./admission-refusal.ts";
import type { Attempt, OfTpp } from "./attempt.ts";
import { describeToken } from "./describe-token.ts";
import { readAccessToken } from "./read-access-token.ts";
import { requireActiveToken, requireToken } from "./require-active-token.ts";
import { type BoundAttempt, requireConsent, requireScope } from "./require-consent.ts";
import { requireTokenBoundToCertificate, requireTokenOfTpp } from "./require-token-bound-to-certificate.ts";
import { requireNotBlocked, requireRole, requireTpp } from "./require-tpp.ts";

/** Dependencies of admission: certificate verification, the stop list, auth's answers about tokens, and the clock. */
export interface AdmissionParts {
  readonly verification: TppVerification;
  readonly stopList: StopList;
  /** Called for each call that is refused because of its certificate, so that the refusal can be explained later. */
  readonly onCertificateRefused: (attempt: Attempt, refusal: AdmissionRefusal) => void;
  readonly introspection: TokenIntrospection;
  readonly clock: Clock;
}

/** Admits a call with the certificate and token of its TPP, or refuses it, in the order of the list below. */
export async function admitForPsu(
  call: IncomingCall,
  needs: PsuNeeds | OptionalPsuNeeds,
  parts: AdmissionParts,
): Promise<PsuAdmission> {
  const attempt = { call, needs, now: parts.clock.now() };
  // Certificate before token: a stranger learns nothing about tokens, and cannot make us ask auth.
  const ofTpp = await admitCertificate(attempt, parts); // every code of psd2-certificates, tpp_blocked, certificate_blocked
  const licensed = requireRole(ofTpp); // role_missing
  const withToken = requireToken(licensed); // token_absent, token_malformed, token_in_query, token_repeated
  const described = await describeToken(withToken, parts.introspection); // too_many_unusable_tokens, too_many_new_tokens
  const withActive = requireActiveToken(withToken, described); // token_inactive, token_wrong_audience, token_not_bound
  // Binding before scope and consent: a stolen token does not tell the thief what it would open.
  const bound = requireTokenBoundToCertificate(withActive); // token_bound_to_other_certificate
  const owned = requireTokenOfTpp(bound); // token_of_other_tpp
  const scoped = requireScope(owned); // scope_missing
  const consented = requireConsent(scoped); // consent_ended
  return psuAdmission(consented);
}

/** Admits a call of the TPP alone: certificate and role, no token. */
export async function admitTpp(
  call: IncomingCall,
  needs: AdmissionNeeds,
  parts: AdmissionParts,
): Promise<TppAdmission> {
  const attempt = { call, needs, now: parts.clock.now() };
  const ofTpp = await admitCertificate(attempt, parts);
  return { kind: "tpp", tpp: requireRole(ofTpp).tpp };
}

/** Checks the certificate alone, and records refusals for an operator who asks for the reason. */
async function admitCertificate<Needs extends AdmissionNeeds>(
  attempt: Attempt<Needs>,
  parts: AdmissionParts,
): Promise<OfTpp<Needs>> {
  try {
    const ofTpp = await requireTpp(attempt, parts.verification); // every code of psd2-certificates
    // Only a caller with a proven identity learns that it is blocked.
    return requireNotBlocked(ofTpp, await parts.stopList.current()); // tpp_blocked, certificate_blocked
  } catch (error) {
    if (error instanceof AdmissionRefusal) parts.onCertificateRefused(attempt, error);
    throw error;
  }
}

/** Admits a call that may have a token: one that was sent must be good. */
export async function admitWithOptionalToken(
  call: IncomingCall,
  needs: OptionalPsuNeeds,
  parts: AdmissionParts,
): Promise<Admission> {
  return readAccessToken(call).kind === "absent"
    ? admitTpp(call, needs, parts)
    : admitForPsu(call, needs, parts);
}

function psuAdmission({ tpp, active, needs }: BoundAttempt): PsuAdmission {
  const { applicationId, psu, consent } = active;
  const { id: consentId, accounts, authenticatedAt } = consent;
  return { kind: "psu", tpp, applicationId, psu, consentId, service: needs.scope, accounts, authenticatedAt };
}
