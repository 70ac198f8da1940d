import type { Asking } from "../pages/page-view.ts";
import type { JourneyParts } from "./journey.ts";
import { type PendingAuthorization, PendingAuthorizationGone } from "./pending-authorization.ts";

/**
 * Who asks: the TPP that owns the application at this moment, as its last verified certificate names it. Throws
 * `PendingAuthorizationGone` when the application was deleted on the way.
 */
export async function findAsking(parts: JourneyParts, pending: PendingAuthorization): Promise<Asking> {
  const application = await parts.applications.findById(pending.applicationId);
  const tpp = application === undefined ? undefined : await parts.tpps.find(application.owner);
  if (application === undefined || tpp === undefined) throw new PendingAuthorizationGone();
  const { organisationIdentifier, organisationName, authority } = tpp;
  const { clientName, localizedNames } = application;
  return {
    tpp: { organisationIdentifier, organisationName, authority },
    application: { clientName, localizedNames },
    redirectHost: pending.redirectHost,
  };
}
