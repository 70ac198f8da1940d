import type { Block } from "../tpp/stop-list.ts";

/** Presents a block of the stop list in the operator API. */
export function presentBlock(block: Block) {
  return {
    id: block.id,
    kind: block.kind,
    [block.kind === "organisation" ? "organisationIdentifier" : "thumbprint"]: block.key,
    reason: block.reason,
    origin: block.origin,
    blockedBy: block.blockedBy,
    blockedAt: block.blockedAt.toISOString(),
    releasedBy: block.released?.by ?? null,
    releasedAt: block.released?.at.toISOString() ?? null,
  };
}
