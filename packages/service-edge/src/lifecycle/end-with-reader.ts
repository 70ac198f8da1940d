import { writeSync } from "node:fs";
import { constants } from "node:os";

const READER_GONE = 128 + constants.signals.SIGPIPE;

/**
 * Whoever reads what a command says may go, as `head` does: then it ends as one that SIGPIPE ends, and says nothing of it. Where
 * what it says cannot be written, as on a full disk, it says so in a line and ends with 1.
 */
export function endWithReader(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(READER_GONE);
      // Where errors cannot be written either, the exit code alone tells.
      if (stream !== process.stderr) writeSync(2, `The output cannot be written: ${error.message}\n`);
      process.exit(1);
    });
}
