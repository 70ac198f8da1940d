import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { spawnWithWatchdog } from "../../packages/sandbox/src/processes/spawn-with-watchdog.ts";

/** How a program of the repository ended, and what it said. */
export interface ProgramRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of the repository that runs. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** The first line on its standard output; rejects with what it said when it ends without one. */
  firstLine(): Promise<string>;
  /** Everything that it said, once it has ended. */
  ended(): Promise<ProgramRun>;
}

const ROOT = resolve(import.meta.dirname, "../..");

/** Starts a program from its sources; it ends with us, even when we are killed. */
export function startProgram(
  main: string,
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>>,
): RunningProgram {
  const options = ["--conditions=source", "--import", import.meta.resolve("tsx")];
  const command = [process.execPath, ...options, resolve(ROOT, main), ...commandLine];
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
  return { child, ended, firstLine: () => firstLine(child, () => said.stdout, ended) };
}

/** Runs a program to its end. */
export async function runProgram(...start: Parameters<typeof startProgram>): Promise<ProgramRun> {
  return startProgram(...start).ended();
}

function firstLine(
  child: ChildProcess,
  stdout: () => string,
  ended: () => Promise<ProgramRun>,
): Promise<string> {
  return new Promise((found, reject) => {
    child.stdout?.on("data", () => {
      const end = stdout().indexOf("\n");
      if (end >= 0) found(stdout().slice(0, end));
    });
    void ended().then((run) => reject(new Error(`it ended with ${run.exitCode}:\n${run.stderr}`)));
  });
}
