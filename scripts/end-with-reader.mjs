/**
 * Loaded before a command: whoever reads what it says may go, as `head` does, and then it ends as one that SIGPIPE ends, and says
 * nothing of it.
 */
import { constants } from "node:os";

const READER_GONE = 128 + constants.signals.SIGPIPE;

for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(READER_GONE);
  });
