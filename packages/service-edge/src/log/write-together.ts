import cluster from "node:cluster";
import { fstatSync } from "node:fs";
import type { DestinationStream } from "pino";
import { writeInTurn } from "./write-in-turn.ts";

/** Lines are joined until they have this many characters, the size of a Linux pipe, or have waited as long as the limit. */
const TOGETHER_CHARACTERS = 65_536;
const LONGEST_WAIT_MILLISECONDS = 100;
/** Most octets that several processes can write into one pipe without being split (POSIX `PIPE_BUF`, as in Linux). */
const WHOLE_OCTETS = 4_096;

/** A destination that can write all its lines before it returns. */
interface Destination extends DestinationStream {
  flushSync(): void;
}

const STANDARD_OUTPUT = 1;

/** Whether standard output has a reader, which may hang; Node's own pipes are sockets, and so is the one to a journal. */
function isRead(): boolean {
  const written = fstatSync(STANDARD_OUTPUT);
  return written.isFIFO() || written.isSocket();
}

/** One per process, because the lines of two logs must not split each other on standard output. */
let opened: Destination | undefined;

/** Standard output as {@link openTogether} opens it, the same for every log of the process. */
export function writeTogether(): Destination {
  opened ??= openTogether();
  return opened;
}

/**
 * Opens standard output for lines that are written together, because each write is a system call. A line waits at most a tenth
 * of a second, and all lines are written when the process ends by itself. A write under way at that moment cannot be waited
 * for: it may land after the last lines, and SIGKILL loses it. A slow reader or a full disk does not delay calls. In a pipe
 * that several processes share, lines do not split one another.
 */
function openTogether(): Destination {
  const hasReader = isRead();
  // Accessing the stream makes Node set a pipe to non-blocking. With a blocking pipe, a process writing its last lines for a
  // hung reader would never end: deaf to signals, with its ports open.
  if (hasReader) void process.stdout;
  // If several processes share the pipe, lines are not joined beyond the size at which they could be split.
  let isShared = hasReader && cluster.isWorker;
  const beneath = writeInTurn(STANDARD_OUTPUT);
  let lines: string[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  function takeLines(): string {
    clearTimeout(timer);
    timer = undefined;
    const text = lines.join("");
    lines = [];
    size = 0;
    return text;
  }

  const handOver = () => beneath.write(takeLines());
  const writeAll = () => beneath.writeAtOnce(takeLines());

  function add(line: string): void {
    const more = isShared ? Buffer.byteLength(line) : line.length;
    if (isShared && size + more > WHOLE_OCTETS) handOver();
    lines.push(line);
    size += more;
  }

  // The first process has the pipe for itself until there is a second.
  cluster.once("fork", () => {
    handOver();
    isShared = hasReader;
  });
  // Here there is still time to wait for a reader. It does nothing without new lines, so that a full disk does not make it
  // repeat for ever.
  process.on("beforeExit", () => lines.length > 0 && handOver());
  process.on("exit", writeAll);
  return {
    write: (line) => {
      add(line);
      if (size >= TOGETHER_CHARACTERS) handOver();
      else timer ??= setTimeout(handOver, LONGEST_WAIT_MILLISECONDS).unref();
    },
    flushSync: writeAll,
  };
}
