import { closeSync, fstatSync } from "node:fs";
import { isatty } from "node:tty";

const STANDARD_STREAMS = [0, 1, 2] as const;

/** Lets go of a terminal that is not there any more: Node aborts at its end when it cannot give it back as it was. */
export function leaveLostTerminal(): void {
  process.on("exit", () => {
    for (const stream of STANDARD_STREAMS)
      if (fstatSync(stream).isCharacterDevice() && !isatty(stream)) closeSync(stream);
  });
}
