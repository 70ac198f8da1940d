import { CANCELLED, Resolver, TIMEOUT } from "node:dns/promises";
import { OutsideFetchError } from "./outside-fetch-error.ts";
import type { ResolveName } from "./resolve-name.ts";

/** Until a name server is asked once more, as a datagram may be lost. */
const AGAIN_MILLISECONDS = 500;
const TRIES = 3;
/** Of what a caller has, this leaves some for the question itself. */
const LIMIT_MILLISECONDS = 1_500;
const UNANSWERED: ReadonlySet<string> = new Set([CANCELLED, TIMEOUT]);

/**
 * Asks the name servers of the machine, or those that are named, and nothing else of it: no file of hosts, and no domain that
 * is added. The machine's own resolver holds a thread for each name, and of threads for that a process has two (libuv),
 * for as long as the servers of that name are silent. Here a silent name costs a datagram, so names are looked up for
 * strangers without a line in which one waits for another. A question takes a second and a half at most; of a name with
 * addresses of two kinds, those that have come by then count.
 */
export function createNameServerLookup(servers?: readonly string[]): ResolveName {
  return async (hostname) => {
    // One for each name: it alone is ended, and servers that the machine was told of meanwhile are asked.
    const resolver = new Resolver({ timeout: AGAIN_MILLISECONDS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const limit = setTimeout(() => resolver.cancel(), LIMIT_MILLISECONDS);
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    clearTimeout(limit);
    const addresses = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (addresses.length > 0) return addresses;
    throw new OutsideFetchError(`${hostname} ${whyNone([four, six])}`);
  };
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6) {
  return answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
}

/** One question that nobody has answered may be the one that would have had addresses. */
function whyNone(answers: readonly PromiseSettledResult<string[]>[]): string {
  const codes = answers.map(codeOf);
  if (codes.some((code) => code !== undefined && UNANSWERED.has(code)))
    return `was not answered for by name servers within ${LIMIT_MILLISECONDS} ms`;
  return `has no address that its name servers tell: ${codes.find((code) => code !== undefined) ?? "none"}`;
}

function codeOf(answer: PromiseSettledResult<string[]>): string | undefined {
  if (answer.status === "fulfilled") return undefined;
  return answer.reason instanceof Error && "code" in answer.reason ? String(answer.reason.code) : "unknown";
}
