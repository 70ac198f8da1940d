import { writeSync } from "node:fs";
import { constants } from "node:os";

const READER_GONE = 128 + constants.signals.SIGPIPE;

/**
 * Ends a command whose output cannot be written. If the reader is gone, as with `head`, it ends silently with the exit code of
 * SIGPIPE. Otherwise, as on a full disk, it prints one line and ends with 1.
 */
export function endWithReader(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(READER_GONE);
      // If standard error cannot be written either, only the exit code is left.
      if (stream !== process.stderr) writeSync(2, `The output cannot be written: ${error.message}\n`);
      process.exit(1);
    });
}
