import type { ConsentCounts } from "../consent/consent-search.ts";
import type { PsuBlock } from "../psu-block/psu-blocks.ts";

/** What the bank's authorization server knows of a PSU. */
export interface PsuFacts {
  readonly psu: string;
  readonly person: { readonly displayName: string } | undefined;
  readonly blocks: readonly PsuBlock[];
  readonly consents: ConsentCounts;
  /** Those to card issuers. */
  readonly cardConsents: ConsentCounts;
}

/** A block of a PSU as the operator API gives it. */
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

/** A PSU as the operator API gives them. */
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
