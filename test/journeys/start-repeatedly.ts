import { eventually } from "../support/eventually.ts";
import { type RunningProgram, startProgram } from "../support/program.ts";
import { isReady } from "../support/sandbox.ts";

/** A start takes a few seconds, and longer if the machine is busy, with the test's own calls among others. */
const START_LIMIT_MILLISECONDS = 45_000;

/** A service as a separate process that can be started again after its end. */
export interface RepeatedProcess {
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Kills it at once, like a fault. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Lines of its log since its last start. */
  lines(): readonly Readonly<Record<string, unknown>>[];
}

/** Prepares a process; does not start it yet. */
export function startRepeatedly(
  main: string,
  environment: Readonly<Record<string, string>>,
): RepeatedProcess {
  let program: RunningProgram | undefined;
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    program?.child.kill(signal);
    await program?.ended();
    program = undefined;
  };
  return {
    start: async () => {
      program = startProgram(main, [], environment);
      const operator = `http://127.0.0.1:${environment.OPERATOR_PORT}`;
      await eventually(() => isReady(operator), START_LIMIT_MILLISECONDS);
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    lines: () =>
      (program?.said("stdout") ?? "")
        .split("\n")
        // The part after the last line break is still being written.
        .slice(0, -1)
        .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
  };
}
