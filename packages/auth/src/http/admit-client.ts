import {
  CertificateRefusal,
  describeForTpp,
  type RevocationDemand,
  type TppIdentity,
} from "@cobs/psd2-certificates";
import type { IncomingCall } from "@cobs/service-edge";
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

/** What was proven of a call to the token or revocation endpoint, and its body, which can be read but once. */
export interface AdmittedClient {
  readonly caller: ProviderCaller;
  readonly form: URLSearchParams;
}

/** What the step before the provider needs. */
export interface AdmissionParts {
  readonly applications: ApplicationStore;
  readonly identify: IdentifyTpp;
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

async function requireOwner(
  parts: AdmissionParts,
  tpp: TppIdentity,
  named: { readonly text: string; readonly challenge: string | undefined },
) {
  const id = findApplicationId(named.text);
  const application = id === undefined ? undefined : await parts.applications.findById(id);
  if (application?.owner === tpp.organisationIdentifier) return;
  const detail = application === undefined ? "no such application" : `owned by ${application.owner}`;
  // The words of the provider for a wrong secret: unknown, foreign and wrong look the same.
  const { challenge } = named;
  throw new ClientRefusal("client_not_owned", applicationRefusals.application_unknown, { detail, challenge });
}

/** A code becomes tokens only with a certificate that is certain to be good; everything else may wait for the grace. */
function demandOf(form: URLSearchParams): RevocationDemand {
  return form.getAll("grant_type").includes("authorization_code") ? "certain" : "known";
}

/**
 * The step before the provider on the token and revocation endpoints: the certificate is verified, and the client that
 * the request names must be an application of its TPP (RFC 8705 section 2; the provider alone would accept the
 * certificate of any TPP beside a right secret). Certificate before client, so that a stranger learns nothing of
 * clients; the form is read before both, because it says how sure the certificate has to be, and judged after. Refuses
 * as `ClientRefusal`, or at the rim for a body that is no form, too large, or names no client or two.
 */
export async function admitClient(parts: AdmissionParts, call: IncomingCall): Promise<AdmittedClient> {
  const { request } = call.exchange;
  const [form] = await Promise.allSettled([readForm(request)]);
  const demand = form.status === "fulfilled" ? demandOf(form.value) : "known";
  const tpp = await identifyClient(parts.identify, call, demand);
  if (form.status === "rejected") throw form.reason;
  const text = readClientId(form.value, call.header("authorization"));
  await requireOwner(parts, tpp, { text, challenge: basicChallenge(call) });
  const { organisationIdentifier, roles } = tpp;
  return {
    caller: { kind: "tpp", organisationIdentifier, roles, certificate: certificateOf(call) },
    form: form.value,
  };
}
