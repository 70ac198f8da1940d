/**
 * `npm run seed -- --transactions N`: any number of transactions for the bank of the running sandbox. Progress goes to
 * standard error; with `--json`, standard output has the result alone. What the exit codes mean is in `--help`.
 */
import { resolve } from "node:path";
import { inspect } from "node:util";
import { CommanderError } from "commander";
import { sandboxLayout } from "../start/sandbox-layout.ts";
import { createCommandLine, type SeedCommand } from "./command-line.ts";
import { findDatabase } from "./find-database.ts";
import { findDemoPsu } from "./find-demo-psu.ts";
import { presentSeedResult } from "./present-seed-result.ts";
import { openProgress } from "./progress.ts";
import { seedMass } from "./seed-mass.ts";
import { readSeedOrder } from "./seed-order.ts";
import { EXIT_CODES, SeedRefusal } from "./seed-refusal.ts";

const { MODE, RESOURCE_DATABASE_URL, SANDBOX_DIRECTORY } = process.env;
const layout = sandboxLayout(resolve(SANDBOX_DIRECTORY || ".sandbox"));

async function run({ json = false, databaseUrlFile, ...options }: SeedCommand): Promise<void> {
  if (MODE === "production") throw new SeedRefusal("not_sandbox", "MODE is production");
  const order = readSeedOrder(options);
  const psu = findDemoPsu(order.psu);
  const sandboxUrlFile = layout.databaseUrl.resource;
  const url = await findDatabase({ urlFile: databaseUrlFile, url: RESOURCE_DATABASE_URL, sandboxUrlFile });
  const place = { url, isSandbox: MODE === "sandbox" };
  const started = performance.now();
  const result = await seedMass(order, { place, psu, asOf: new Date(), ...terminal(order.transactions) });
  const milliseconds = Math.round(performance.now() - started);
  const text = json ? JSON.stringify({ ...result, milliseconds }) : presentSeedResult(result, milliseconds);
  process.stdout.write(`${text}\n`);
}

function terminal(total: number) {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort()).once("SIGTERM", () => interruption.abort());
  const write = (text: string) => void process.stderr.write(text);
  const isTerminal = process.stderr.isTTY === true;
  const progress = openProgress(total, { write, isTerminal, now: () => performance.now() });
  return { progress, interrupted: interruption.signal };
}

function report(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : EXIT_CODES.usage;
  if (!(thrown instanceof SeedRefusal)) {
    process.stderr.write(`${inspect(thrown)}\n`);
    return 1;
  }
  process.stderr.write(`${thrown.message}\n`);
  return EXIT_CODES[thrown.code];
}

try {
  await createCommandLine(run).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
