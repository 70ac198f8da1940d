import type { ApplicationStore } from "../applications/application-store.ts";
import type { AskedSigning } from "./parse-signing-terms.ts";
import { isRegisteredReturn } from "./return-url.ts";
import { SigningRefusal } from "./signing-refusal.ts";
import { createSigningRequestId } from "./signing-request-id.ts";
import type { RequestOutcome, SigningAct, SigningStore } from "./signing-store.ts";

/** Stores that `askForSigning` needs. */
export interface AskingParts {
  readonly store: Pick<SigningStore, "request">;
  readonly applications: Pick<ApplicationStore, "findOwned">;
}

/**
 * Keeps an order for its PSU to decide about; a repeated request gets what is kept. Refuses with `application_unknown`,
 * `return_url_unregistered`, `request_different` or `certificates_used_up`. Whether the PSU consented to payments is for resource
 * to check; auth knows first when that consent has ended, and refuses this as `application_unknown` too.
 */
export async function askForSigning(
  { store, applications }: AskingParts,
  asked: AskedSigning,
  by: SigningAct,
): Promise<Extract<RequestOutcome, { readonly request: unknown }>> {
  const { organisationIdentifier: owner, applicationId: id } = asked;
  const application = await applications.findOwned({ owner, id });
  if (application === undefined || !application.scopes.includes("pisp"))
    throw new SigningRefusal(
      "application_unknown",
      "the TPP has no application with this clientId and scope pisp",
    );
  // The PSU must have a URL to return to (COBS 2.0 3.2.10, A-51).
  const returnUrl = asked.returnUrl ?? application.redirectUris[0];
  if (returnUrl === undefined || !isRegisteredReturn(returnUrl, application))
    throw new SigningRefusal("return_url_unregistered", "returnUrl is not registered for the application");
  const outcome = await store.request(
    { ...asked, returnUrl, id: createSigningRequestId(), createdAt: by.now },
    by,
  );
  if (outcome.result === "consent_ended")
    throw new SigningRefusal(
      "application_unknown",
      "the application may no longer initiate payments for the PSU: their consent has ended or does not cover payments, or the TPP is blocked",
    );
  if (outcome.result === "certificates_used_up")
    throw new SigningRefusal(
      "certificates_used_up",
      "the TPP has asked with too many certificates for one paymentId and signId",
    );
  if (outcome.result === "different")
    throw new SigningRefusal("request_different", "another order already has this paymentId and signId");
  return outcome;
}
