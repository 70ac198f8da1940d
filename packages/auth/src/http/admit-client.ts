import { securityProfileOf } from "@cobs/cobs-model";
import {
  CertificateRefusal,
  describeForTpp,
  type OrganisationIdentifier,
  type RevocationDemand,
  type TppIdentity,
} from "@cobs/psd2-certificates";
import type { IncomingCall } from "@cobs/service-edge";
import { applicationRefusals } from "../applications/application-refusal.ts";
import type { ApplicationCredentials, ApplicationStore } from "../applications/application-store.ts";
import { ClientRefusal, NOT_BELIEVED } from "../applications/client-refusal.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { Counted, LimitName } from "../limits/limit.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { ProviderCaller } from "../provider/provider-caller.ts";
import type { IdentifyTpp } from "../tpp/identify-tpp.ts";
import { TppRefusal } from "../tpp/tpp-refusal.ts";
import { basicChallenge } from "./basic-challenge.ts";
import { certificateOf } from "./certificate-of.ts";
import { isSecretEmpty, readClientId } from "./read-client-id.ts";
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
}

/** Says why a certificate was refused, as the token endpoint has to: `invalid_client` (RFC 6749 5.2). */
async function identifyClient(
  identify: IdentifyTpp,
  call: IncomingCall,
  demand: RevocationDemand,
): Promise<TppIdentity> {
  try {
    return await identify(call, demand);
  } catch (error) {
    const more = (detail: string) => ({ detail, challenge: basicChallenge(call) });
    if (error instanceof TppRefusal) throw new ClientRefusal(error.code, error.message, more(error.detail));
    if (!(error instanceof CertificateRefusal)) throw error;
    throw new ClientRefusal(error.code, describeForTpp(error.code), more(error.detail));
  }
}

/** The client that a request of a TPP names, and what the request counts for. */
interface NamedClient {
  readonly text: string;
  readonly owner: OrganisationIdentifier;
  readonly counted: { readonly tpp: Counted; readonly application: Counted };
  readonly challenge: string | undefined;
}

/** Who names another TPP's application counts for itself alone. */
function countedFor(owner: OrganisationIdentifier, text: string, { limits }: ClientEndpoint) {
  const id = findApplicationId(text) ?? "unknown";
  return {
    tpp: { limit: limits.tpp, of: owner },
    application: { limit: limits.application, of: `${owner} ${id}` },
  };
}

async function requireOwned(parts: AdmissionParts, client: NamedClient): Promise<ApplicationCredentials> {
  const { text, owner, challenge } = client;
  const counted = [client.counted.tpp, client.counted.application];
  const id = findApplicationId(text);
  const found = await parts.limits.countWhile(counted, async () =>
    id === undefined ? undefined : parts.applications.findCredentials(id),
  );
  if (found?.application.owner === owner) return found;
  await parts.limits.penalise(counted);
  const detail = found === undefined ? "no such application" : `owned by ${found.application.owner}`;
  throw new ClientRefusal("client_not_owned", NOT_BELIEVED, { detail, challenge });
}

/** What cannot be read names no client, and counts for its TPP all the same. */
async function countUnreadable<T>(limits: RateLimits, tpp: Counted, read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    await limits.count([tpp]);
    throw error;
  }
}

function readNamed(form: PromiseSettledResult<URLSearchParams>, call: IncomingCall) {
  if (form.status === "rejected") throw form.reason;
  return { form: form.value, text: readClientId(form.value, call.header("Authorization")) };
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
  const { request } = call.exchange;
  const [form] = await Promise.allSettled([readForm(request)]);
  const demand = form.status === "fulfilled" ? endpoint.demandOf(form.value) : "known";
  const tpp = await identifyClient(parts.identify, call, demand);
  const { organisationIdentifier: owner, roles } = tpp;
  call.note({ tpp: owner });
  const ofTpp = { limit: endpoint.limits.tpp, of: owner };
  const named = await countUnreadable(parts.limits, ofTpp, () => readNamed(form, call));
  const counted = countedFor(owner, named.text, endpoint);
  const challenge = basicChallenge(call);
  const application = await requireOwned(parts, { text: named.text, owner, counted, challenge });
  if (isSecretEmpty(call.header("authorization")))
    throw new ClientRefusal("secret_empty", NOT_BELIEVED, { challenge });
  if (endpoint.demandsProfile) requireProfile(application, parts);
  return {
    caller: { kind: "tpp", organisationIdentifier: owner, roles, certificate: certificateOf(call) },
    application,
    form: named.form,
    countedApplication: counted.application,
  };
}
