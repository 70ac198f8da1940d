import { join } from "node:path";
import { sandboxLayout } from "../../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { runCommandLine } from "../../../packages/sandbox/src/seed/run-command-line.ts";
import { type ProgramRun, type RunningProgram, startProgram } from "../../support/program.ts";

/** Environment of a run besides the database, in a folder without a sandbox. */
type Changes = Partial<
  Readonly<Record<"MODE" | "SANDBOX_DIRECTORY" | "RESOURCE_DATABASE_URL" | "PGSSLNEGOTIATION", string>>
>;

/** Runs `npm run seed` on a database. */
export interface SeedRuns {
  /** Runs it as a separate process, as npm does. */
  start(commandLine: string, changes?: Changes): RunningProgram;
  /**
   * Runs it in this process, because most tests are not about the program's own start. Use `start` for what the database
   * refuses.
   */
  run(commandLine: string, changes?: Changes): Promise<ProgramRun>;
}

const SEED = "packages/sandbox/src/seed/main.ts";

/** Runs on the database and in the folder that `place` returns at that time. */
export function seedRuns(place: () => { readonly url: string; readonly path: string }): SeedRuns {
  const environment = (changes: Changes = {}) => ({
    MODE: "sandbox",
    RESOURCE_DATABASE_URL: place().url,
    SANDBOX_DIRECTORY: join(place().path, "no-sandbox"),
    ...changes,
  });
  return {
    start: (commandLine, changes) => startProgram(SEED, commandLine.split(" "), environment(changes)),
    run: async (commandLine, changes) => {
      const { MODE: mode, RESOURCE_DATABASE_URL: databaseUrl, SANDBOX_DIRECTORY } = environment(changes);
      const said = { stdout: "", stderr: "" };
      const exitCode = await runCommandLine(commandLine.split(" "), {
        mode,
        databaseUrl,
        sandboxUrlFile: sandboxLayout(SANDBOX_DIRECTORY).databaseUrl.resource,
        sandboxDocument: sandboxLayout(SANDBOX_DIRECTORY).document,
        say: (text) => {
          said.stdout += text;
        },
        complain: (text) => {
          said.stderr += text;
        },
        isTerminal: false,
        interrupted: new AbortController().signal,
      });
      return { exitCode, ...said };
    },
  };
}
