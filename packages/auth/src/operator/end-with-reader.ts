import { constants } from "node:os";

const READER_GONE = 128 + constants.signals.SIGPIPE;

/** Whoever reads what a command says may go, as `head` does: then it ends as one that SIGPIPE ends, and says nothing of it. */
export function endWithReader(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(READER_GONE);
    });
}
