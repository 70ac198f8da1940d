import cluster from "node:cluster";
import { fstatSync } from "node:fs";
import type { DestinationStream } from "pino";
import { writeInTurn } from "./write-in-turn.ts";

/** A line waits for others until there are so many characters, as a pipe of Linux holds, or for so long. */
const TOGETHER_CHARACTERS = 65_536;
const LONGEST_WAIT_MILLISECONDS = 100;
/** What several processes write into one pipe stays whole up to so many octets (POSIX `PIPE_BUF`, as Linux has it). */
const WHOLE_OCTETS = 4_096;

/** What takes lines, and can be told to write all of them before it returns. */
interface Destination extends DestinationStream {
  flushSync(): void;
}

const STANDARD_OUTPUT = 1;

/** Whether somebody reads what is written, and may hang; Node's own pipes are sockets, and so is that to a journal. */
function isRead(): boolean {
  const written = fstatSync(STANDARD_OUTPUT);
  return written.isFIFO() || written.isSocket();
}

/** There is one standard output, so lines of two logs of a process may not cut each other either. */
let opened: Destination | undefined;

/** Standard output as {@link openTogether} opens it, the same for every log of the process. */
export function writeTogether(): Destination {
  opened ??= openTogether();
  return opened;
}

/**
 * Standard output, which gets lines together, since each write is a call of the kernel: some of them at once, none later than
 * a tenth of a second, and all when the process ends by itself. What is being written at that moment cannot be waited for: it may
 * come after the last lines, and SIGKILL loses it. Whoever reads slowly, and a disk that is full, does not hold calls up. In a
 * pipe of several processes no line is cut by those of another.
 */
function openTogether(): Destination {
  const hasReader = isRead();
  // Asked for it as a stream, Node makes a pipe one that waits for nobody. In one that does, who writes the last lines for a reader
  // who hangs would never end: deaf to signals, with its ports open.
  if (hasReader) void process.stdout;
  // Between several processes what is handed over is not joined with more where it would be cut.
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

  // The first of several processes has it for itself until there is a second.
  cluster.once("fork", () => {
    handOver();
    isShared = hasReader;
  });
  // There is still time to wait for a reader. What could not be written on a full disk is not begun anew without end.
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
