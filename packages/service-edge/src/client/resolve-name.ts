import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import { createSlots } from "../turns/slots.ts";

/** Returns the addresses of a host name; rejects when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Most lookups at once. A name that nobody answers for holds a thread for many seconds, and files and cryptography need the
 * other threads.
 */
const LOOKUPS_AT_ONCE = 2;
/**
 * Most lookups at once of names that were not answered last time, so that the names of one authority do not delay the others.
 */
const DOUBTFUL_LOOKUPS_AT_ONCE = 1;
const DOUBTFUL_NAMES = 1_000;

/** Asks the machine's resolver: one lookup per name for all its callers, and few names at once. */
export function createNameResolution(ask: ResolveName = askMachine): ResolveName {
  const { run: inTurn } = createSlots({ atOnce: LOOKUPS_AT_ONCE });
  const { run: afterOthers } = createSlots({ atOnce: DOUBTFUL_LOOKUPS_AT_ONCE });
  const doubtful = new LRUCache<string, true>({ max: DOUBTFUL_NAMES });
  const underWay = new Map<string, ReturnType<ResolveName>>();
  const lookUp = async (hostname: string) => {
    const turn = () => inTurn(() => ask(hostname));
    try {
      const addresses = await (doubtful.has(hostname) ? afterOthers(turn) : turn());
      doubtful.delete(hostname);
      return addresses;
    } catch (error) {
      doubtful.set(hostname, true);
      throw error;
    } finally {
      underWay.delete(hostname);
    }
  };
  return (hostname) => {
    const answer = underWay.get(hostname) ?? lookUp(hostname);
    underWay.set(hostname, answer);
    return answer;
  };
}

const askMachine: ResolveName = (hostname) => lookup(hostname, { all: true });
