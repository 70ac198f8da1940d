import { execFile } from "node:child_process";
import { resolve } from "node:path";
import type { ProgramRun } from "./program.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FROM_SOURCES = ["--conditions=source", "--import", "tsx"];

/** Runs a program from its sources, like those of `scripts`; returns how it ended and its whole output. */
export function runScript(
  path: string,
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  return new Promise((ended) => {
    const child = execFile(
      process.execPath,
      [...FROM_SOURCES, path, ...commandLine],
      { cwd: ROOT, env: { PATH: "/usr/bin:/bin", ...environment } },
      (_error, stdout, stderr) => ended({ exitCode: child.exitCode, stdout, stderr }),
    );
  });
}
