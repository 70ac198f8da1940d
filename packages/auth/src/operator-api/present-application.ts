import type { ApplicationFacts } from "../applications/application-search.ts";

/** Presents an application in the operator API, without its credentials. */
export function presentApplication({ id, createdAt, deletedAt, ...facts }: ApplicationFacts) {
  return {
    applicationId: id,
    organisationIdentifier: facts.owner,
    clientName: facts.clientName,
    applicationType: facts.applicationType,
    redirectUris: facts.redirectUris,
    scopes: facts.scopes,
    contact: facts.contact,
    tokenEndpointAuthMethod: facts.tokenEndpointAuthMethod,
    securityProfile: facts.securityProfile,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
    activeConsents: facts.activeConsents,
  };
}
