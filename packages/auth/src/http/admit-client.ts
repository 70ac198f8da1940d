import { type ApplicationId, securityProfileOf } from "@cobs/cobs-model";
import {
  CertificateRefusal,
  describeForTpp,
  type RevocationDemand,
  type TppIdentity,
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

/**
 * Admits a call to the token, pushed request or revocation endpoint before the provider sees it: verifies the
 * certificate, and requires that the client be an application of its TPP (RFC 8705 section 2; the provider alone would
 * accept any TPP's certificate with a correct secret). Refuses in the order of the list below, as `ClientRefusal` where
 * nothing else is said.
 */
export async function admitClient(
  parts: AdmissionParts,
  call: IncomingCall,
  endpoint: ClientEndpoint,
): Promise<AdmittedClient> {
  // Read before the certificate, because it decides how certain the certificate must be, and judged after.
  const sent = await readSent(call, endpoint);
  // Certificate before client: a stranger learns nothing of clients.
  const attempt = await identifyTpp(parts, sent); //     every code of psd2-certificates, tpp_blocked, certificate_blocked
  noteTpp(attempt);
  const counted = countedFor(attempt, endpoint);
  const form = await count(parts.limits, attempt, counted); //    RateLimited; then whatever makes the request unreadable
  const application = await requireOwned(parts.limits, attempt, counted); //                             client_not_owned
  await requireFitProof(parts.limits, { call, form }, counted); //                       secret_empty, assertion_ambiguous
  if (endpoint.demandsProfile) requireProfile(application, parts); //                                    profile_required
  const { organisationIdentifier, roles } = attempt.tpp;
  return {
    caller: { kind: "tpp", organisationIdentifier, roles, certificate: certificateOf(call) },
    application,
    form,
    countedApplication: counted.application,
  };
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

/** A request as far as it could be read; its caller is not known yet. */
interface SentRequest {
  readonly call: IncomingCall;
  readonly named: NamedClient | Unread;
  readonly demand: RevocationDemand;
}

/** A request whose TPP is proven; what it names is not judged yet. */
interface Attempt extends Pick<SentRequest, "call" | "named"> {
  readonly tpp: TppIdentity;
  /** The application that it names, whoever owns it. */
  readonly found: ApplicationCredentials | undefined;
}

/** Counts per TPP and application id, so that naming another TPP's application counts only against the caller. */
interface CountedCall {
  readonly tpp: Counted;
  readonly application: Counted;
}

async function readSent(call: IncomingCall, endpoint: ClientEndpoint): Promise<SentRequest> {
  const form = await readForm(call.exchange.request).catch((error: unknown) => ({ unread: error }));
  if ("unread" in form) return { call, named: form, demand: "known" };
  return { call, named: readNamed(form, call, endpoint), demand: endpoint.demandOf(form) };
}

function readNamed(
  form: URLSearchParams,
  call: IncomingCall,
  { clientIdPlace }: ClientEndpoint,
): NamedClient | Unread {
  try {
    return { form, id: findApplicationId(readClientId(form, call.header("Authorization"), clientIdPlace)) };
  } catch (error) {
    return { unread: error };
  }
}

function idIn({ named }: Pick<SentRequest, "named">): ApplicationId | undefined {
  return "unread" in named ? undefined : named.id;
}

/** Identifies the TPP, querying the stop list and the application in one statement. */
async function identifyTpp(
  { identify, applications }: AdmissionParts,
  { call, named, demand }: SentRequest,
): Promise<Attempt> {
  let found: ApplicationCredentials | undefined;
  const findBlocked: FindBlocked = (party) =>
    applications.findNamed(party, idIn({ named })).then((answer) => {
      found = answer.found;
      return answer.blocked;
    });
  try {
    const tpp = await identify(call, demand, findBlocked);
    return { call, named, tpp, found };
  } catch (error) {
    throw clientRefusalOf(error, call);
  }
}

/** Converts the refusal of a certificate to the token endpoint's `invalid_client` (RFC 6749 5.2). */
function clientRefusalOf(error: unknown, call: IncomingCall): unknown {
  const more = (detail: string) => ({ detail, challenge: basicChallenge(call) });
  if (error instanceof TppRefusal) return new ClientRefusal(error.code, error.message, more(error.detail));
  if (!(error instanceof CertificateRefusal)) return error;
  return new ClientRefusal(error.code, describeForTpp(error.code), more(error.detail));
}

/** Whoever has the certificate can use either of its forms. */
function noteTpp({ call, tpp: { organisationIdentifier: tpp, thumbprint, twinThumbprint } }: Attempt): void {
  call.note({ tpp, thumbprint, twinThumbprint });
}

function countedFor(attempt: Attempt, { limits }: ClientEndpoint): CountedCall {
  const owner = attempt.tpp.organisationIdentifier;
  return {
    tpp: { limit: limits.tpp, of: owner },
    application: { limit: limits.application, of: `${owner} ${idIn(attempt) ?? "unknown"}` },
  };
}

/** Counts the call and gives its form, or refuses one that could not be read, or does not name exactly one client. */
async function count(limits: RateLimits, { named }: Attempt, counted: CountedCall): Promise<URLSearchParams> {
  if ("unread" in named) {
    await limits.count([counted.tpp]);
    throw named.unread;
  }
  await limits.count([counted.tpp, counted.application]);
  return named.form;
}

async function requireOwned(
  limits: RateLimits,
  { call, tpp, found }: Attempt,
  counted: CountedCall,
): Promise<ApplicationCredentials> {
  if (found?.application.owner === tpp.organisationIdentifier) return found;
  await limits.penalise([counted.tpp, counted.application]);
  const detail = found === undefined ? "no such application" : `owned by ${found.application.owner}`;
  throw new ClientRefusal("client_not_owned", NOT_BELIEVED, { detail, challenge: basicChallenge(call) });
}

/** Refuses a proof that is unfit, whoever sent it; as when the provider refuses one, it counts as a failed authentication. */
async function requireFitProof(
  limits: RateLimits,
  { call, form }: { readonly call: IncomingCall; readonly form: URLSearchParams },
  counted: CountedCall,
): Promise<void> {
  const unfit = findUnfitProof(call, form);
  if (unfit === undefined) return;
  await limits.penalise([counted.application]);
  throw unfit;
}

/** What the provider would answer as a malformed request, or fail at. */
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
