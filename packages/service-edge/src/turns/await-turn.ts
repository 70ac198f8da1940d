import { afterLimit } from "./expiry.ts";

/** A place in a line; either method ends the waiting and leaves the line. */
export interface Turn {
  readonly begin: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/**
 * Waits at the end of a line until the turn begins. Rejects with the error for which it was given up, or with `late()` if the
 * turn has not come in time; without `milliseconds` there is no limit.
 */
export function awaitTurn(
  line: Set<Turn>,
  milliseconds: number | undefined,
  late: () => Error,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(limit);
      line.delete(turn);
    };
    const turn: Turn = {
      begin: () => {
        leave();
        resolve();
      },
      giveUp: (reason) => {
        leave();
        reject(reason);
      },
    };
    const expire = () => {
      // The turn may have come meanwhile.
      if (line.has(turn)) turn.giveUp(late());
    };
    const limit = milliseconds === undefined ? undefined : afterLimit(milliseconds, expire);
    line.add(turn);
  });
}
