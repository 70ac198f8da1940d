import { type ApplicationId, securityProfileOf } from "@cobs/cobs-model";
import {
  CertificateRefusal,
  describeForTpp,
  type OrganisationIdentifier,
  type RevocationDemand,
} from "@cobs/psd2-certificates";
import type { IncomingCall } from "@cobs/service-edge";
import { applicationRefusals } from "../applications/application-refusal.ts";
import type { ApplicationCredentials, ApplicationStore } from "../applications/application-store.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { Counted, LimitName } from "../limits/limit.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { ClientRefusal, NOT_BELIEVED } from "../provider/client-refusal.ts";
import type { ProviderCaller } from "../provider/provider-caller.ts";
import type { FindBlocked, IdentifyTpp } from "../tpp/identify-tpp.ts";
import { TppRefusal } from "../tpp/tpp-refusal.ts";
import { basicChallenge } from "./basic-challenge.ts";
import { certificateOf } from "./certificate-of.ts";
import { findAmbiguity } from "./find-ambiguity.ts";
import { type ClientIdPlace, isSecretEmpty, readClientId } from "./read-client-id.ts";
import { readForm } from "./read-form.ts";

/** What was proven about a call to an endpoint for clients, and its body, which can be read only once. */
export interface AdmittedClient {
  readonly caller: ProviderCaller;
  readonly application: ApplicationCredentials;
  readonly form: URLSearchParams;
  /** The count to which a failed authentication adds. */
  readonly countedApplication: Counted;
}

/** What admitting a client needs. */
export interface AdmissionParts {
  readonly applications: ApplicationStore;
  readonly requiresFapi2: () => boolean;
  readonly identify: IdentifyTpp;
  readonly limits: RateLimits;
}

/** What an endpoint requires of its callers. */
export interface ClientEndpoint {
  /** The rate limits that a call counts against. */
  readonly limits: { readonly tpp: LimitName; readonly application: LimitName };
  /** How certain the certificate's revocation status must be, depending on the form. */
  readonly demandOf: (form: URLSearchParams) => RevocationDemand;
  /** Whether applications of profile cobs are refused while the bank requires fapi2; true where something is issued. */
  readonly demandsProfile: boolean;
  readonly clientIdPlace: ClientIdPlace;
}

/** Converts the refusal of a certificate to the token endpoint's `invalid_client` (RFC 6749 5.2). */
function clientRefusalOf(error: unknown, call: IncomingCall): unknown {
  const more = (detail: string) => ({ detail, challenge: basicChallenge(call) });
  if (error instanceof TppRefusal) return new ClientRefusal(error.code, error.message, more(error.detail));
  if (!(error instanceof CertificateRefusal)) return error;
  return new ClientRefusal(error.code, describeForTpp(error.code), more(error.detail));
}

/** Why a request could not be read. It is refused only after its TPP is known, and counts against the TPP. */
interface Unread {
  readonly unread: unknown;
}

/** The client that a TPP's request names. */
interface NamedClient {
  readonly form: URLSearchParams;
  /** Undefined when no application can have it. */
  readonly id: ApplicationId | undefined;
}

function readNamed(
  form: URLSearchParams | Unread,
  call: IncomingCall,
  { clientIdPlace }: ClientEndpoint,
): NamedClient | Unread {
  if ("unread" in form) return form;
  try {
    return { form, id: findApplicationId(readClientId(form, call.header("Authorization"), clientIdPlace)) };
  } catch (error) {
    return { unread: error };
  }
}

/** Identifies the TPP, querying the stop list and the application in one statement. */
async function identifyWithApplication(
  { identify, applications }: AdmissionParts,
  call: IncomingCall,
  { demand, id }: { readonly demand: RevocationDemand; readonly id: ApplicationId | undefined },
) {
  let found: ApplicationCredentials | undefined;
  const findBlocked: FindBlocked = (party) =>
    applications.findNamed(party, id).then((named) => {
      found = named.found;
      return named.blocked;
    });
  try {
    const tpp = await identify(call, demand, findBlocked);
    return { tpp, found };
  } catch (error) {
    throw clientRefusalOf(error, call);
  }
}

/** Counts per TPP and application id, so that naming another TPP's application counts only against the caller. */
function countedFor(
  owner: OrganisationIdentifier,
  id: ApplicationId | undefined,
  { limits }: ClientEndpoint,
) {
  return {
    tpp: { limit: limits.tpp, of: owner },
    application: { limit: limits.application, of: `${owner} ${id ?? "unknown"}` },
  };
}

interface ForeignClient {
  readonly found: ApplicationCredentials | undefined;
  readonly counted: readonly Counted[];
  readonly challenge: string | undefined;
}

async function refuseForeign(limits: RateLimits, client: ForeignClient): Promise<never> {
  const { found, counted, challenge } = client;
  await limits.penalise(counted);
  const detail = found === undefined ? "no such application" : `owned by ${found.application.owner}`;
  throw new ClientRefusal("client_not_owned", NOT_BELIEVED, { detail, challenge });
}

/** What makes a proof of the client unfit, whoever sent it: the provider would answer as to a malformed request, or fail. */
function findUnfitProof(call: IncomingCall, form: URLSearchParams): ClientRefusal | undefined {
  const challenge = basicChallenge(call);
  if (isSecretEmpty(call.header("authorization")))
    return new ClientRefusal("secret_empty", NOT_BELIEVED, { challenge });
  const found = form.getAll("client_assertion").map(findAmbiguity).find(Boolean);
  if (found === undefined) return undefined;
  return new ClientRefusal("assertion_ambiguous", `client authentication failed: ${found}`, { challenge });
}

function requireProfile({ application }: ApplicationCredentials, { requiresFapi2 }: AdmissionParts): void {
  if (securityProfileOf(application) === "fapi2" || !requiresFapi2()) return;
  throw new ClientRefusal("profile_required", applicationRefusals.profile_required);
}

/**
 * Admits a call to the token, pushed request or revocation endpoint before the provider sees it: verifies the
 * certificate, and requires that the client be an application of its TPP (RFC 8705 section 2; the provider alone would
 * accept any TPP's certificate with a correct secret). The certificate is checked before the client, so that a stranger
 * learns nothing of clients. The form is read before both, because it decides how certain the certificate must be, and
 * is judged after. Refuses as `ClientRefusal` or `RateLimited`, or at the rim for a body that is not a form, is too
 * large, or does not name exactly one client.
 */
export async function admitClient(
  parts: AdmissionParts,
  call: IncomingCall,
  endpoint: ClientEndpoint,
): Promise<AdmittedClient> {
  const form = await readForm(call.exchange.request).catch((error: unknown) => ({ unread: error }));
  const named = readNamed(form, call, endpoint);
  const demand = "unread" in form ? "known" : endpoint.demandOf(form);
  const id = "unread" in named ? undefined : named.id;
  const { tpp, found } = await identifyWithApplication(parts, call, { demand, id });
  const { organisationIdentifier: owner, thumbprint, twinThumbprint, roles } = tpp;
  // Whoever has the certificate can use either of its forms.
  call.note({ tpp: owner, thumbprint, twinThumbprint });
  const counted = countedFor(owner, id, endpoint);
  if ("unread" in named) {
    await parts.limits.count([counted.tpp]);
    throw named.unread;
  }
  const both = [counted.tpp, counted.application];
  await parts.limits.count(both);
  if (found?.application.owner !== owner)
    return refuseForeign(parts.limits, { found, counted: both, challenge: basicChallenge(call) });
  const unfit = findUnfitProof(call, named.form);
  if (unfit !== undefined) {
    // A failed authentication, as when the provider refuses a proof.
    await parts.limits.penalise([counted.application]);
    throw unfit;
  }
  if (endpoint.demandsProfile) requireProfile(found, parts);
  return {
    caller: { kind: "tpp", organisationIdentifier: owner, roles, certificate: certificateOf(call) },
    application: found,
    form: named.form,
    countedApplication: counted.application,
  };
}
