import { type ExecFileException, execFile } from "node:child_process";
import type { DatabaseUser } from "./database-user.ts";

/** The result of a short-lived program; `failure` is absent if it ended with 0. */
export interface ProgramResult {
  readonly output: string;
  readonly failure?: ExecFileException;
}

/** The whole environment of programs, so that none of our secrets can reach them. */
export const PROGRAM_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  LC_ALL: "C",
  TZ: "UTC",
};

/** Runs a program as the given user until it ends, for at most a minute. */
export function runProgram(command: readonly string[], user: DatabaseUser): Promise<ProgramResult> {
  const [file = "", ...rest] = [...user.prefix, ...command];
  const options = { cwd: "/", env: PROGRAM_ENVIRONMENT, uid: user.uid, gid: user.gid, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(file, rest, options, (failure, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      resolve(failure === null ? { output } : { output, failure });
    });
  });
}
