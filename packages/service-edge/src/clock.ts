/** The only source of time in a process; tests pass their own. */
export interface Clock {
  /** Wall-clock time, for everything that is stored or compared with a certificate. */
  now(): Date;
  /** Milliseconds that never go backwards and that include time asleep, for measuring freshness and durations. */
  monotonicMilliseconds(): number;
}

/** The clocks of a machine, in milliseconds. */
export interface MachineClocks {
  readonly wall: () => number;
  /** Never goes backwards, and stops while the machine is suspended, as in Linux and Node.js. */
  readonly running: () => number;
}

/** Least difference that counts as a suspension; a clock that is corrected gradually changes less between two readings. */
const SLEEP_MILLISECONDS = 250;

/**
 * Makes a clock that includes the time for which a machine was suspended, so that what was fresh before is not taken as fresh
 * after. It detects a suspension when the wall clock has advanced further than the running clock since the last reading. A
 * wall clock set forward has the same effect and ages everything; one set back changes nothing.
 */
export function clockOf({ wall, running }: MachineClocks): Clock {
  let lastRunning = running();
  let lastWall = wall();
  let slept = 0;
  return {
    now: () => new Date(wall()),
    monotonicMilliseconds: () => {
      const nowRunning = running();
      const nowWall = wall();
      const ahead = nowWall - lastWall - (nowRunning - lastRunning);
      if (ahead >= SLEEP_MILLISECONDS) slept += ahead;
      lastRunning = nowRunning;
      lastWall = nowWall;
      return nowRunning + slept;
    },
  };
}

/** The machine's clock. */
export const systemClock: Clock = clockOf({
  wall: () => Date.now(),
  running: () => performance.now(),
});
