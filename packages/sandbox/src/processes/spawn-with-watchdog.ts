/**
 * Starts children that cannot outlive us. Each child runs in its own session, so that Ctrl-C in the terminal reaches only us,
 * and we decide the order of stopping. Beside it a tiny shell waits on a pipe from us. When we disappear for any reason, `kill
 * -9` included, the pipe closes and the shell stops the child.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * How a child is stopped once our process has disappeared: with the first signal, and after `graceSeconds` with the last.
 */
export interface StopSignals {
  readonly first: NodeJS.Signals;
  readonly last: NodeJS.Signals;
  readonly graceSeconds: number;
}

/** What to run, and as whom; `uid` and `gid` only if we are root. */
export interface SupervisedCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: readonly ("ignore" | "inherit" | "pipe" | number)[];
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

// The shell becomes the command (same pid). The reader is forked twice, so that the command never has a child that it does not
// know. A line on the pipe means "stand down"; end of file means that our process is gone.
const SCRIPT = `
first=$1 last=$2 grace=$3; shift 3
( (
  read -r line <&3 && exit 0
  kill -s "$first" "$$"
  while kill -s 0 "$$"; do
    [ "$grace" -gt 0 ] || { kill -s "$last" "$$"; exit 0; }
    grace=$((grace - 1)); sleep 1
  done
) </dev/null >/dev/null 2>&1 & )
exec 3<&-
exec "$@"
`;

/** Spawns the command under a watchdog; the child's pid is the command's own. Needs a POSIX shell (not Windows). */
export function spawnWithWatchdog(supervised: SupervisedCommand, stop: StopSignals): ChildProcess {
  const { command, stdio, ...options } = supervised;
  const order = [signalName(stop.first), signalName(stop.last), String(stop.graceSeconds)];
  const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", ...order, ...command], {
    ...options,
    detached: true,
    stdio: [...threeOf(stdio), "pipe"],
  });
  const pipe = child.stdio[3];
  if (pipe instanceof Socket) standDownAtExit(child, pipe);
  return child;
}

/** Lets our process end while the child still runs; the watchdog then stops the child. */
export function unrefWithWatchdog(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
}

// Otherwise the watchdog would later signal a pid that may belong to another process.
function standDownAtExit(child: ChildProcess, pipe: Socket): void {
  pipe.on("error", () => undefined);
  child.once("exit", () => pipe.end("\n"));
  child.once("error", () => pipe.destroy());
}

function threeOf(stdio: SupervisedCommand["stdio"]): SupervisedCommand["stdio"] {
  return [0, 1, 2].map((index) => stdio[index] ?? "ignore");
}

function signalName(signal: NodeJS.Signals): string {
  return signal.replace(/^SIG/, "");
}
