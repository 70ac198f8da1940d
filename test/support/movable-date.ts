/** The machine's clock as this process reads it, for libraries that accept no other; timers are not affected. */
export interface MovableDate {
  advance(milliseconds: number): void;
  /** Returns to the machine's time. */
  restore(): void;
}

/** Makes a date that follows the machine until it is moved. */
export function movableDate(): MovableDate {
  const now = Date.now;
  let ahead = 0;
  return {
    advance(milliseconds) {
      ahead += milliseconds;
      Date.now = () => now() + ahead;
    },
    restore() {
      ahead = 0;
      Date.now = now;
    },
  };
}
