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
import { type ClientIdPlace, isSecretEmpty, readClientId } from "./read-client-id.ts";
import { readForm } from "./read-form.ts";

/** What was proven of a call to an endpoint for clients, and its body, which can be read but once. */
export interface AdmittedClient {
  readonly caller: ProviderCaller;
  readonly application: ApplicationCredentials;
  readonly form: URLSearchParams;
  /** What a failed authentication of this application counts for. */
  readonly countedApplication: Counted;
}

/** What the step before the provider needs. */
export interface AdmissionParts {
  readonly applications: ApplicationStore;
  readonly requiresFapi2: () => boolean;
  readonly identify: IdentifyTpp;
  readonly limits: RateLimits;
}

/** What an endpoint asks of its callers. */
export interface ClientEndpoint {
  /** What a call counts for. */
  readonly limits: { readonly tpp: LimitName; readonly application: LimitName };
  /** How sure the certificate has to be, by the form. */
  readonly demandOf: (form: URLSearchParams) => RevocationDemand;
  /** Whether applications of profile cobs are refused while the bank requires fapi2: where something is given out. */
  readonly demandsProfile: boolean;
  readonly clientIdPlace: ClientIdPlace;
}

/** Why a certificate was refused, as the token endpoint has to say it: `invalid_client` (RFC 6749 5.2). */
function clientRefusalOf(error: unknown, call: IncomingCall): unknown {
  const more = (detail: string) => ({ detail, challenge: basicChallenge(call) });
  if (error instanceof TppRefusal) return new ClientRefusal(error.code, error.message, more(error.detail));
  if (!(error instanceof CertificateRefusal)) return error;
  return new ClientRefusal(error.code, describeForTpp(error.code), more(error.detail));
}

/** What of a request could not be read, and why: it is refused after its TPP is known, and counts for that. */
interface Unread {
  readonly unread: unknown;
}

/** What a request of a TPP says of its client. */
interface NamedClient {
  readonly form: URLSearchParams;
  /** Undefined where it is no id of an application. */
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

/** The stop list and the application are asked for in one statement. */
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

/** Who names another TPP's application counts for itself alone. */
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

function requireProfile({ application }: ApplicationCredentials, { requiresFapi2 }: AdmissionParts): void {
  if (securityProfileOf(application) === "fapi2" || !requiresFapi2()) return;
  throw new ClientRefusal("profile_required", applicationRefusals.profile_required);
}

/**
 * The step before the provider on the token, pushed request and revocation endpoints: the certificate is verified, and the
 * client that the request names must be an application of its TPP (RFC 8705 section 2; the provider alone would accept the
 * certificate of any TPP beside a right secret). Certificate before client, so that a stranger learns nothing of clients; the
 * form is read before both, because it says how sure the certificate has to be, and judged after. Refuses as `ClientRefusal`
 * or `RateLimited`, or at the rim for a body that is no form, too large, or names no client or two.
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
  const { organisationIdentifier: owner, thumbprint, roles } = tpp;
  call.note({ tpp: owner, thumbprint });
  const counted = countedFor(owner, id, endpoint);
  if ("unread" in named) {
    await parts.limits.count([counted.tpp]);
    throw named.unread;
  }
  const challenge = basicChallenge(call);
  const both = [counted.tpp, counted.application];
  await parts.limits.count(both);
  if (found?.application.owner !== owner)
    return refuseForeign(parts.limits, { found, counted: both, challenge });
  if (isSecretEmpty(call.header("authorization")))
    throw new ClientRefusal("secret_empty", NOT_BELIEVED, { challenge });
  if (endpoint.demandsProfile) requireProfile(found, parts);
  return {
    caller: { kind: "tpp", organisationIdentifier: owner, roles, certificate: certificateOf(call) },
    application: found,
    form: named.form,
    countedApplication: counted.application,
  };
}
