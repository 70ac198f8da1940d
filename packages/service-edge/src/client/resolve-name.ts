import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";

/** The addresses of a host name; rejects when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** A name that nobody answers for holds a thread for many seconds, and files and cryptography need the other ones. */
const LOOKUPS_AT_ONCE = 2;

/** Asks the machine's resolver: one lookup per name however many wait for it, and few names at once. */
export function createNameResolution(ask: ResolveName = askMachine): ResolveName {
  const inTurn = createTurns(LOOKUPS_AT_ONCE);
  const underWay = new Map<string, ReturnType<ResolveName>>();
  return (hostname) => {
    const running = underWay.get(hostname);
    if (running !== undefined) return running;
    const answer = inTurn(() => ask(hostname)).finally(() => underWay.delete(hostname));
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
