import type { ServiceParts } from "@cobs/service-edge";
import { LRUCache } from "lru-cache";
import type { AccessSubject, ExhaustedAccesses, RunningAccess } from "./access-counts.ts";

/** What the store said last of each subject, for as long as it holds; bounded. */
export interface RememberedAccesses {
  /** How it stands now; undefined when the store must be asked. */
  find(subject: AccessSubject): RunningAccess | ExhaustedAccesses | undefined;
  /** Begins to ask: time counts from the question, since the store's answer is never older. */
  ask(subject: AccessSubject): { keep(standing: RunningAccess | ExhaustedAccesses): void };
}

/** Some five megabytes: what fell out is asked for again. */
const MAX_REMEMBERED_ACCESSES = 20_000;
/** One who asks again and again does not reach the store each time; a process that allows more is overruled this long. */
const REFUSAL_MILLISECONDS = 5_000;

/** What the store said; when it was asked, on the monotonic clock. */
interface Remembered {
  readonly standing: RunningAccess | ExhaustedAccesses;
  readonly askedAt: number;
}

/** Makes an empty memory. No access lasts longer in it than in the store. */
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

/** No id has a space in it. */
function keyOf({ consentId, account, resource }: AccessSubject): string {
  return `${consentId} ${account} ${resource}`;
}
