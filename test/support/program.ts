import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";
import { PROGRAMS_BUILT } from "./test-environment.ts";

/** How a program of the repository ended, and its output. */
export interface ProgramRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program of the repository. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Resolves with the first match in its output as soon as it appears; rejects if the program ends without one. */
  says(stream: "stdout" | "stderr", pattern: RegExp): Promise<string>;
  /** Its output so far. */
  said(stream: "stdout" | "stderr"): string;
  /** Its whole output, once it has ended. */
  ended(): Promise<ProgramRun>;
}

const ROOT = resolve(import.meta.dirname, "../..");

/** The command of a program, with full paths: the built file if it is known to be up to date, otherwise the source. */
export function commandOf(main: string): readonly string[] {
  const built = main.replace("/src/", "/dist/").replace(/\.ts$/, ".js");
  if (PROGRAMS_BUILT) return [process.execPath, resolve(ROOT, built)];
  return [process.execPath, "--conditions=source", "--import", "tsx", resolve(ROOT, main)];
}

/** Starts a program, which ends with this process, even if this one is killed. It may open `files` files (Linux). */
export function startProgram(
  main: string,
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>>,
  files?: number,
): RunningProgram {
  const limited = files === undefined ? [] : ["prlimit", `--nofile=${files}`];
  const command = [...limited, ...commandOf(main), ...commandLine];
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", ...environment };
  const child = spawnWithWatchdog(
    { command, cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] },
    { first: "SIGTERM", last: "SIGKILL", graceSeconds: 20 },
  );
  const said = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  const closed = once(child, "close");
  const ended = async () => {
    await closed;
    return { exitCode: child.exitCode, ...said };
  };
  const says: RunningProgram["says"] = (stream, pattern) =>
    new Promise((found, reject) => {
      const look = () => {
        const match = pattern.exec(said[stream]);
        if (match !== null) found(match[0]);
      };
      look();
      child[stream]?.on("data", look);
      void ended().then((run) => reject(new Error(`it ended with ${run.exitCode}:\n${run.stderr}`)));
    });
  return { child, ended, says, said: (stream) => said[stream] };
}

/** Runs a program to its end. */
export async function runProgram(...start: Parameters<typeof startProgram>): Promise<ProgramRun> {
  return startProgram(...start).ended();
}
