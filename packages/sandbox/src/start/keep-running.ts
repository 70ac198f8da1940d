import { setTimeout as delay } from "node:timers/promises";
import type { RunningProcess } from "./running-process.ts";

/** A program to keep running, and whom to tell. */
export interface KeptProgram {
  readonly name: string;
  /** Starts it again; if it rejects, it is tried again later. */
  readonly restart: () => Promise<RunningProcess>;
  readonly onRestart: (running: RunningProcess) => Promise<void>;
  /** Prints a line for the person at the terminal. */
  readonly say: (line: string) => void;
}

/** A program that is restarted whenever it ends, until it is stopped. */
export interface KeptProcess {
  readonly pid: number;
  stop(): Promise<void>;
  hurry(): void;
}

const FIRST_WAIT_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 10_000;
const LONG_ENOUGH_MILLISECONDS = 10_000;

/** Watches a running process; waits longer before each restart while restarts keep failing. */
export function keepRunning(program: KeptProgram, first: RunningProcess): KeptProcess {
  const stopping = new AbortController();
  let current = first;

  async function restart(): Promise<void> {
    current = await program.restart();
    if (stopping.signal.aborted) return current.stop();
    program.say(`${program.name} runs again (pid ${current.pid})`);
    await program.onRestart(current);
  }

  async function watch(): Promise<void> {
    for (let wait = FIRST_WAIT_MILLISECONDS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MILLISECONDS)) {
      const since = performance.now();
      const end = await current.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - since > LONG_ENOUGH_MILLISECONDS) wait = FIRST_WAIT_MILLISECONDS;
      program.say(`${program.name} ended (${end}); starting it again`);
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await restart().catch((error: unknown) =>
        program.say(`${program.name} did not start: ${reasonOf(error)}`),
      );
    }
  }

  const watched = watch();
  return {
    get pid() {
      return current.pid;
    },
    stop: async () => {
      stopping.abort();
      await current.stop();
      await watched;
    },
    hurry: () => current.hurry(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
