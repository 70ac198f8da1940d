/** A place in the chain: how many entries it counts, and the hash that stands for all of them, as 64 hexadecimal digits. */
export interface ChainPoint {
  readonly sequence: number;
  readonly hash: string;
}

/** Entries that may be archived, by the number of the one before them and that of the last. */
export interface ArchivablePart {
  readonly after: number;
  readonly through: number;
}

/** What is written and not yet sealed. */
export interface UnsealedTail {
  readonly entries: number;
  /** By the database's clock; undefined without entries. */
  readonly oldestSeconds: number | undefined;
}

/** A place in the chain, from what is stored. */
export function presentPoint(sequence: bigint, hash: Uint8Array): ChainPoint {
  return { sequence: Number(sequence), hash: Buffer.from(hash).toString("hex") };
}
