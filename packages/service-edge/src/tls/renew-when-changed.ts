/** A value made from files that change while a process runs. */
export interface Renewed {
  /** Returns the state of the files in one text; asked before the value is made, so that no change is missed. */
  readonly state: () => Promise<string>;
  /** State that the value in force was made from; undefined if unknown. */
  readonly inForce: string | undefined;
  /** Puts the present state into force; if it throws, the former value stays. */
  readonly renew: () => void;
  /** Called once for each state that cannot be used. */
  readonly onFailure: (error: unknown) => void;
  /** One second where it is absent. */
  readonly intervalMilliseconds?: number;
}

const INTERVAL_MILLISECONDS = 1_000;

/**
 * Renews within about two seconds after a change, until it is stopped. A failure is retried until it succeeds, because a
 * certificate may appear before its key, or before it is valid.
 */
export function renewWhenChanged({ state, renew, onFailure, ...initial }: Renewed): {
  readonly stop: () => void;
} {
  let { inForce } = initial;
  let failed: string | undefined;
  let looking = false;
  const look = async () => {
    const now = await state();
    if (now === inForce) return;
    // Files that change while they are looked at seem to be in a state that they never had, and are not in any more.
    if ((await state()) !== now) return;
    try {
      renew();
      inForce = now;
    } catch (error) {
      if (now !== failed) onFailure(error);
      failed = now;
    }
  };
  const lookAgain = async () => {
    if (looking) return;
    looking = true;
    await look();
    looking = false;
  };
  const timer = setInterval(lookAgain, initial.intervalMilliseconds ?? INTERVAL_MILLISECONDS).unref();
  return { stop: () => clearInterval(timer) };
}
