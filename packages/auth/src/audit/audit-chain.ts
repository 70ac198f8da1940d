/** A point in the chain: the number of entries up to it, and the hash that stands for all of them, as 64 hexadecimal digits. */
export interface ChainPoint {
  readonly sequence: number;
  readonly hash: string;
}

/** Entries that may be archived: the number of the entry before the first, and that of the last. */
export interface ArchivablePart {
  readonly after: number;
  readonly through: number;
}

/** Entries that are written but not sealed yet. */
export interface UnsealedTail {
  readonly entries: number;
  /** Age by the database's clock; undefined without entries. */
  readonly oldestSeconds: number | undefined;
}

/** Converts a stored point of the chain. */
export function presentPoint(sequence: bigint, hash: Uint8Array): ChainPoint {
  return { sequence: Number(sequence), hash: Buffer.from(hash).toString("hex") };
}
