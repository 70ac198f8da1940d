/** What is made of files that change while a process runs. */
export interface Renewed {
  /** What it depends on, in one text; asked before it is made, so that no change falls in between. */
  readonly state: () => Promise<string>;
  /** The state that what is in force was made of; undefined where that is not known. */
  readonly inForce: string | undefined;
  /** Puts what there is now in force; where it throws, what is in force stays. */
  readonly renew: () => void;
  /** Told once for each state that cannot be used. */
  readonly onFailure: (error: unknown) => void;
}

const INTERVAL_MILLISECONDS = 1_000;

/**
 * Renews within about a second after a change, until it is stopped. What failed is tried again until it succeeds: a certificate
 * may be there a moment before its key, or before its time.
 */
export function renewWhenChanged({ state, renew, onFailure, ...initial }: Renewed): {
  readonly stop: () => void;
} {
  let { inForce } = initial;
  let failed: string | undefined;
  const look = async () => {
    const now = await state();
    if (now === inForce) return;
    try {
      renew();
      inForce = now;
    } catch (error) {
      if (now !== failed) onFailure(error);
      failed = now;
    }
  };
  const timer = setInterval(look, INTERVAL_MILLISECONDS).unref();
  return { stop: () => clearInterval(timer) };
}
