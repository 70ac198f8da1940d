/** The only source of time in a process; tests pass their own. */
export interface Clock {
  /** Wall-clock time, for everything that is stored or compared with a certificate. */
  now(): Date;
  /** Milliseconds that never go backwards and that no sleep leaves out, for measuring freshness and durations. */
  monotonicMilliseconds(): number;
}

/** The clocks of a machine, in milliseconds. */
export interface MachineClocks {
  readonly wall: () => number;
  /** Never goes backwards, and stands still while the machine is suspended, as Linux and Node.js have it. */
  readonly running: () => number;
}

/** Whoever sets a clock right bit by bit changes less between two looks. */
const SLEEP_MILLISECONDS = 250;

/**
 * Makes a clock that counts the time for which a machine was suspended: what was fresh before it is not fresh after it. It
 * is known by the wall clock, which has gone on further than the other one since the last look. A wall clock that is set
 * forward counts too, and makes everything older than it is; one that is set back changes nothing.
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
