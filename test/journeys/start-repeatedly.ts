import { eventually } from "../support/eventually.ts";
import { type RunningProgram, startProgram } from "../support/program.ts";
import { isReady } from "../support/sandbox.ts";

/** It takes a few seconds; this machine may be busy, with calls of the test among others. */
const START_LIMIT_MILLISECONDS = 45_000;

/** A service as a process of its own, which can be started again after its end. */
export interface RepeatedProcess {
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it at once, as a fault does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** The lines of its log since its last start. */
  lines(): readonly Readonly<Record<string, unknown>>[];
}

/** Prepares one; it starts nothing yet. */
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
        // What stands behind the last line break is being written.
        .slice(0, -1)
        .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
  };
}
