import { afterLimit } from "./expiry.ts";

/** Somebody who waits in a line; either it ends the waiting, and they leave the line. */
export interface Turn {
  readonly begin: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/**
 * Waits at the end of a line until the turn begins. Rejects with what it was given up for, and with what `late` makes when it
 * has not come within so many milliseconds; undefined waits for as long as it takes.
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
