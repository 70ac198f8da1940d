import { securityProfileOf } from "@cobs/cobs-model";
import {
  CertificateRefusal,
  describeForTpp,
  type RevocationDemand,
  type TppIdentity,
} from "@cobs/psd2-certificates";
import type { IncomingCall } from "@cobs/service-edge";
import type { RegisteredApplication } from "../applications/application.ts";
import { applicationRefusals } from "../applications/application-refusal.ts";
import type { ApplicationStore } from "../applications/application-store.ts";
import { ClientRefusal } from "../applications/client-refusal.ts";
import { findApplicationId } from "../applications/find-application-id.ts";
import type { ProviderCaller } from "../provider/provider-caller.ts";
import type { IdentifyTpp } from "../tpp/identify-tpp.ts";
import { TppRefusal } from "../tpp/tpp-refusal.ts";
import { basicChallenge } from "./basic-challenge.ts";
import { certificateOf } from "./certificate-of.ts";
import { readClientId } from "./read-client-id.ts";
import { readForm } from "./read-form.ts";

/** What was proven of a call to an endpoint for clients, and its body, which can be read but once. */
export interface AdmittedClient {
  readonly caller: ProviderCaller;
  readonly form: URLSearchParams;
}

/** What the step before the provider needs. */
export interface AdmissionParts {
  readonly applications: ApplicationStore;
  readonly requiresFapi2: () => boolean;
  readonly identify: IdentifyTpp;
}

/** What an endpoint asks of its callers. */
export interface ClientEndpoint {
  /** How sure the certificate has to be, by the form. */
  readonly demandOf: (form: URLSearchParams) => RevocationDemand;
  /** Whether applications of profile cobs are refused while the bank requires fapi2. */
  readonly gives: boolean;
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

async function requireOwned(
  parts: AdmissionParts,
  tpp: TppIdentity,
  named: { readonly text: string; readonly challenge: string | undefined },
): Promise<RegisteredApplication> {
  const id = findApplicationId(named.text);
  const application = id === undefined ? undefined : await parts.applications.findById(id);
  if (application?.owner === tpp.organisationIdentifier) return application;
  const detail = application === undefined ? "no such application" : `owned by ${application.owner}`;
  // The words of the provider for a wrong secret: unknown, foreign and wrong look the same.
  const { challenge } = named;
  throw new ClientRefusal("client_not_owned", applicationRefusals.application_unknown, { detail, challenge });
}

function requireProfile(application: RegisteredApplication, { requiresFapi2 }: AdmissionParts): void {
  if (securityProfileOf(application) === "fapi2" || !requiresFapi2()) return;
  throw new ClientRefusal("profile_required", applicationRefusals.profile_required);
}

/**
 * The step before the provider on the token, pushed request and revocation endpoints: the certificate is verified, and the client that
 * the request names must be an application of its TPP (RFC 8705 section 2; the provider alone would accept the
 * certificate of any TPP beside a right secret). Certificate before client, so that a stranger learns nothing of
 * clients; the form is read before both, because it says how sure the certificate has to be, and judged after. Refuses
 * as `ClientRefusal`, or at the rim for a body that is no form, too large, or names no client or two.
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
  if (form.status === "rejected") throw form.reason;
  const text = readClientId(form.value, call.header("authorization"));
  const application = await requireOwned(parts, tpp, { text, challenge: basicChallenge(call) });
  if (endpoint.gives) requireProfile(application, parts);
  const { organisationIdentifier, roles } = tpp;
  return {
    caller: { kind: "tpp", organisationIdentifier, roles, certificate: certificateOf(call) },
    form: form.value,
  };
}
