import { type Clock, clockOf } from "@cobs/service-edge";

/** A clock that stands still until a test moves it. It starts at the real time, which TLS itself uses. */
export interface MovableClock extends Clock {
  /** Moves both kinds of time forward. */
  advance(milliseconds: number): void;
  /** Moves the wall clock alone: forward as after a suspension of the machine, or backwards as an operator or NTP may. */
  setWall(milliseconds: number): void;
}

/** Makes a clock that stands at the present moment. */
export function movableClock(): MovableClock {
  let wall = Date.now();
  let running = 1_000_000;
  return {
    ...clockOf({ wall: () => wall, running: () => running }),
    advance: (milliseconds) => {
      wall += milliseconds;
      running += milliseconds;
    },
    setWall: (milliseconds) => {
      wall += milliseconds;
    },
  };
}
