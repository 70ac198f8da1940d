import type { ConsentCounts } from "../consent/consent-search.ts";
import type { PsuBlock } from "../psu-block/psu-blocks.ts";

/** Everything that auth knows of a PSU. */
export interface PsuFacts {
  readonly psu: string;
  readonly person: { readonly displayName: string } | undefined;
  readonly blocks: readonly PsuBlock[];
  readonly consents: ConsentCounts;
  /** Consents to card issuers. */
  readonly cardConsents: ConsentCounts;
}

/** Presents a block of a PSU in the operator API. */
export function presentPsuBlock({ psu, released, ...block }: PsuBlock) {
  return {
    psu,
    reason: block.reason,
    blockedBy: block.blockedBy,
    blockedAt: block.blockedAt.toISOString(),
    releasedBy: released?.by ?? null,
    releasedAt: released?.at.toISOString() ?? null,
  };
}

/** Presents a PSU in the operator API. */
export function presentPsu({ psu, person, blocks, consents, cardConsents }: PsuFacts) {
  return {
    psu,
    displayName: person?.displayName ?? null,
    blocked: blocks.some(({ released }) => released === undefined),
    consents,
    cardConsents,
    blocks: blocks.map(presentPsuBlock),
  };
}
