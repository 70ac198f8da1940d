/** What each party has in a memory, and which parties have more than their share. */
export interface MemoryShares {
  add(party: string, key: string, size: number): void;
  remove(party: string, key: string, size: number): void;
  /**
   * Finds the key to drop from a full memory for a new one of this party: the one that was added first, of the party itself if
   * it exceeds its share, otherwise of another party that does. Undefined when no party exceeds its share.
   */
  findExcess(party: string): string | undefined;
}

/** The most that one party may have in a full memory. */
export interface MemoryShare {
  readonly keys: number;
  readonly size: number;
}

interface Held {
  /** In the order of their addition. */
  readonly keys: Set<string>;
  size: number;
}

/** Creates the shares of an empty memory. */
export function createMemoryShares(share: MemoryShare): MemoryShares {
  const holding = new Map<string, Held>();
  /** Few, because each has more than a share. */
  const exceeding = new Set<string>();

  function judge(party: string, { keys, size }: Held): void {
    if (keys.size > share.keys || size > share.size) exceeding.add(party);
    else exceeding.delete(party);
  }

  return {
    add: (party, key, size) => {
      const held = holding.get(party) ?? { keys: new Set<string>(), size: 0 };
      held.keys.add(key);
      held.size += size;
      holding.set(party, held);
      judge(party, held);
    },
    remove: (party, key, size) => {
      const held = holding.get(party);
      if (held === undefined) return;
      held.keys.delete(key);
      held.size -= size;
      if (held.keys.size === 0) holding.delete(party);
      judge(party, held);
    },
    findExcess: (party) => {
      const [first] = exceeding;
      const whose = exceeding.has(party) ? party : first;
      const [oldest] = (whose === undefined ? undefined : holding.get(whose)?.keys) ?? [];
      return oldest;
    },
  };
}
