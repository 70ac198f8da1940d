import type { Block, StopListKey } from "../tpp/stop-list.ts";

/** Presents a block of the stop list in the operator API. */
export function presentBlock(block: Block) {
  return {
    id: block.id,
    ...presentKey(block),
    reason: block.reason,
    origin: block.origin,
    blockedBy: block.blockedBy,
    blockedAt: block.blockedAt.toISOString(),
    releasedBy: block.released?.by ?? null,
    releasedAt: block.released?.at.toISOString() ?? null,
  };
}

function presentKey({ kind, key }: StopListKey) {
  return kind === "organisation" ? { kind: "tpp", organisationIdentifier: key } : { kind, thumbprint: key };
}
