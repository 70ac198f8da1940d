/** Runs work when it is its turn. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * At most `running` pieces of work at once and `waiting` in line; one more throws what `refuse` makes. It bounds the
 * memory and the threads that a flood of expensive calls can take.
 */
export function limitConcurrency(
  limits: { readonly running: number; readonly waiting: number },
  refuse: () => Error,
): Turnstile {
  const line: (() => void)[] = [];
  let running = 0;
  async function enter(): Promise<void> {
    if (running < limits.running) {
      running += 1;
      return;
    }
    if (line.length >= limits.waiting) throw refuse();
    // The place of whoever leaves is handed over: `running` does not change.
    await new Promise<void>((proceed) => line.push(proceed));
  }
  function leave(): void {
    const next = line.shift();
    if (next === undefined) running -= 1;
    else next();
  }
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
