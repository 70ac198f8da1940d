import type { TppFacts } from "../tpp/tpp-search.ts";

/** Presents a TPP in the operator API. */
export function presentTpp({ changedAt, authority, blocks, register, ...tpp }: TppFacts) {
  return {
    organisationIdentifier: tpp.organisationIdentifier,
    organisationName: tpp.organisationName,
    authority,
    roles: tpp.roles,
    changedAt: changedAt.toISOString(),
    applications: tpp.applications,
    blocks: blocks.map(({ blockedAt, ...block }) => ({ ...block, blockedAt: blockedAt.toISOString() })),
    register: register ?? null,
  };
}
