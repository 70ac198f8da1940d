import type { ServiceParts } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";
import type { AccessSubject, ExhaustedAccesses, RunningAccess } from "./access-counts.ts";

/** The store's last answer about each subject, for as long as it holds; bounded. */
export interface RememberedAccesses {
  /** The current state; undefined when the store must be asked. */
  find(subject: AccessSubject): RunningAccess | ExhaustedAccesses | undefined;
  /** Begins a question to the store. Time counts from the question, because the store's answer is never older. */
  ask(subject: AccessSubject): { keep(standing: RunningAccess | ExhaustedAccesses): void };
}

/** About five megabytes; the store is asked again about what was dropped. */
const MAX_REMEMBERED_ACCESSES = 20_000;
/**
 * How long a refusal is remembered, so that a TPP that keeps asking does not reach the store each time. For this long it also
 * overrules a process that allows more.
 */
const REFUSAL_MILLISECONDS = 5_000;

/** The store's answer, and when it was asked, in milliseconds of the monotonic clock. */
interface Remembered {
  readonly standing: RunningAccess | ExhaustedAccesses;
  readonly askedAt: number;
}

/** Creates an empty memory. No access lasts longer in it than in the store. */
export function rememberAccesses({
  clock,
  countCache,
}: Pick<ServiceParts, "clock" | "countCache">): RememberedAccesses {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED_ACCESSES });
  const counted = countCache("unattended_accesses", () => remembered.size);
  const now = () => clock.monotonicMilliseconds();

  function find(subject: AccessSubject) {
    const known = remembered.get(keyOf(subject));
    const standing = known && stillStanding(known.standing, now() - known.askedAt);
    if (standing === undefined) counted.missed();
    else counted.hit();
    return standing;
  }

  return {
    find,
    ask: (subject) => {
      const askedAt = now();
      return { keep: (standing) => void remembered.set(keyOf(subject), { standing, askedAt }) };
    },
  };
}

function stillStanding<S extends RunningAccess | ExhaustedAccesses>(
  standing: S,
  passed: number,
): S | undefined {
  const remainingMilliseconds = standing.remainingMilliseconds - passed;
  const isTooOld = standing.kind === "exhausted" && passed >= REFUSAL_MILLISECONDS;
  return isTooOld || remainingMilliseconds <= 0 ? undefined : { ...standing, remainingMilliseconds };
}

/** Joins the ids with spaces, which none of them contains. */
function keyOf({ consentId, account, resource }: AccessSubject): string {
  return `${consentId} ${account} ${resource}`;
}
