/** The machine's clock as this process reads it, for libraries that know no other; timers go on as ever. */
export interface MovableDate {
  advance(milliseconds: number): void;
  /** To what the machine says. */
  restore(): void;
}

/** Makes one, which says what the machine does until it is moved. */
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
