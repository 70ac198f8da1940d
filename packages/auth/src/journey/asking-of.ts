import type { Asking } from "../pages/page-view.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";

/** Who asks: the TPP that owns the application at this moment, as its last verified certificate names it. */
export function askingOf({ application, tpp, redirectHost }: PendingAuthorization): Asking {
  const { organisationIdentifier, organisationName, authority } = tpp;
  const { clientName, localizedNames } = application;
  return {
    tpp: { organisationIdentifier, organisationName, authority },
    application: { clientName, localizedNames },
    redirectHost,
  };
}
