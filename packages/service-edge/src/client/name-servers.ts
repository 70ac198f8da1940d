import { CANCELLED, Resolver, TIMEOUT } from "node:dns/promises";
import { OutsideFetchError } from "./outside-fetch-error.ts";
import type { ResolveName } from "./resolve-name.ts";

/** Time until a name server is asked again, because a datagram may be lost. */
const AGAIN_MILLISECONDS = 500;
const TRIES = 3;
/** Less than the caller's limit, so that some time is left for the question itself. */
const LIMIT_MILLISECONDS = 1_500;
const UNANSWERED: ReadonlySet<string> = new Set([CANCELLED, TIMEOUT]);

/**
 * Creates a lookup that asks only the machine's name servers, or the given ones: no hosts file, no search domain. The
 * machine's own resolver holds one of the process's two lookup threads (libuv) as long as the servers of a name are silent.
 * Here a silent name costs only a datagram, so strangers' names need not wait for one another. A lookup takes at most a second
 * and a half; then the addresses of either family that have arrived count.
 */
export function createNameServerLookup(servers?: readonly string[]): ResolveName {
  return async (hostname) => {
    // One resolver per name, so that it can be cancelled alone, and so that changes to the machine's servers take effect.
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

/** Says why there is no address; reports an unanswered question first, because it might have had addresses. */
function whyNone(answers: readonly PromiseSettledResult<string[]>[]): string {
  const codes = answers.map(codeOf);
  if (codes.some((code) => code !== undefined && UNANSWERED.has(code)))
    return `got no answer from name servers within ${LIMIT_MILLISECONDS} ms`;
  return `got no address from name servers: ${codes.find((code) => code !== undefined) ?? "none"}`;
}

function codeOf(answer: PromiseSettledResult<string[]>): string | undefined {
  if (answer.status === "fulfilled") return undefined;
  return answer.reason instanceof Error && "code" in answer.reason ? String(answer.reason.code) : "unknown";
}
