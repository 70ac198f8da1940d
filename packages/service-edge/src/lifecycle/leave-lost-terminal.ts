import { closeSync, fstatSync } from "node:fs";
import { isatty } from "node:tty";

const STANDARD_STREAMS = [0, 1, 2] as const;

/** Releases a terminal that is gone, because Node aborts at its end when it cannot restore the terminal's state. */
export function leaveLostTerminal(): void {
  process.on("exit", () => {
    for (const stream of STANDARD_STREAMS)
      if (fstatSync(stream).isCharacterDevice() && !isatty(stream)) closeSync(stream);
  });
}
