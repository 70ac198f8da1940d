import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { LRUCache } from "lru-cache";

/** The addresses of a host name; rejects when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** A name that nobody answers for holds a thread for many seconds, and files and cryptography need the other ones. */
const LOOKUPS_AT_ONCE = 2;
/** Of names that nobody answered for the last time: the names of one authority must not keep those of others waiting. */
const DOUBTFUL_LOOKUPS_AT_ONCE = 1;
const DOUBTFUL_NAMES = 1_000;

/** Asks the machine's resolver: one lookup per name however many wait for it, and few names at once. */
export function createNameResolution(ask: ResolveName = askMachine): ResolveName {
  const inTurn = createTurns(LOOKUPS_AT_ONCE);
  const afterOthers = createTurns(DOUBTFUL_LOOKUPS_AT_ONCE);
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

function createTurns(atOnce: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const myTurn = () => new Promise<void>((resolve) => waiting.push(resolve));
  const endTurn = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (task) => {
    if (running < atOnce) running += 1;
    else await myTurn();
    return task().finally(endTurn);
  };
}
