/** What `npm run seed -- --transactions N` does, for any caller. `--help` explains the exit codes. */
import { optionWords, requireClearOptions } from "@cobs/service-edge/configuration";
import { readSandboxDocument } from "../sandbox-folder/sandbox-document.ts";
import { JSON_FLAG } from "../terminal/json-option.ts";
import { type Outlet, parserOutput, reportError } from "../terminal/tell-error.ts";
import { createCommandLine, type SeedCommand } from "./command-line.ts";
import { findDatabase } from "./find-database.ts";
import { findDemoPsu } from "./find-demo-psu.ts";
import { presentSeedResult } from "./present-seed-result.ts";
import { openProgress } from "./progress.ts";
import { readSeedOrder } from "./seed-order.ts";
import { SeedRefusal } from "./seed-refusal.ts";

/** Where an order is carried out, and who reads the outcome. */
export interface SeedTerminal extends Outlet {
  /** `MODE` of the environment. */
  readonly mode: string | undefined;
  /** `RESOURCE_DATABASE_URL` of the environment. */
  readonly databaseUrl: string | undefined;
  /** The sandbox's file with the URL of its database. */
  readonly sandboxUrlFile: string;
  /** `sandbox.json`, which says what resource asks instead of that database. */
  readonly sandboxDocument: string;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  readonly interrupted: AbortSignal;
}

/**
 * Carries out a command line; gives the exit code. With `--json` standard output has one object, the result or the error.
 */
export async function runCommandLine(words: readonly string[], terminal: SeedTerminal): Promise<number> {
  const json = optionWords(words).includes(JSON_FLAG);
  const program = createCommandLine((command) => run(command, terminal), parserOutput(terminal, json));
  try {
    requireClearOptions(program, words);
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    return reportError(error, terminal, json);
  }
}

async function run(command: SeedCommand, terminal: SeedTerminal): Promise<void> {
  const { json = false, databaseUrlFile: urlFile, ...options } = command;
  const { mode, databaseUrl, sandboxUrlFile, interrupted } = terminal;
  if (mode === "production") throw new SeedRefusal("not_sandbox", "MODE is production");
  const order = readSeedOrder(options);
  const psu = findDemoPsu(order.psu);
  const url = await findDatabase({ urlFile, url: databaseUrl, sandboxUrlFile });
  const place = { url, isSandbox: mode === "sandbox" };
  // Loaded only here: it takes longer to load than an order takes to be refused.
  const { seedMass } = await import("./seed-mass.ts");
  const started = performance.now();
  const progress = progressOf(order.transactions, terminal);
  const result = await seedMass(order, { place, psu, asOf: new Date(), progress, interrupted });
  const milliseconds = Math.round(performance.now() - started);
  const text = json ? JSON.stringify({ ...result, milliseconds }) : presentSeedResult(result, milliseconds);
  terminal.say(`${text}\n`);
  const isOfSandbox = urlFile === undefined && !databaseUrl;
  const core = isOfSandbox ? (await readSandboxDocument(terminal.sandboxDocument))?.core : undefined;
  // A document of an earlier version has no `core`.
  if (typeof core === "string")
    terminal.complain(
      `The sandbox was started with SANDBOX_CORE: resource asks ${core}, which does not have these accounts.\n`,
    );
}

function progressOf(total: number, { complain: write, isTerminal }: SeedTerminal) {
  return openProgress(total, { write, isTerminal, now: () => performance.now() });
}
