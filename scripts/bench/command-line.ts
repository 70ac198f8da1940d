import {
  createCommand,
  WrongUsage,
  wholeNumber,
} from "../../packages/sandbox/src/terminal/read-command-line.ts";
import type { Measuring } from "./measure-sections.ts";
import { divideCores } from "./processor.ts";

const MOST_CORES = 9_999;

interface BenchOptions extends Partial<Pick<Measuring, "only" | "quick" | "sample">> {
  readonly cores?: number;
  readonly json?: boolean;
  readonly write?: boolean;
}

/** The command line of `npm run bench`. */
export const BENCH_COMMAND = createCommand(
  "npm run bench",
  "Compares both services with minimal servers, by operations in a second of CPU time; starts everything itself.",
)
  .option("--only <beginning>", "measurements whose names begin with this, such as resource/; default: all")
  .option("--quick", "fewer and shorter rounds")
  .option("--sample", "one round, to see that it works; the figures mean nothing")
  .option("--cores <number>", "number of cores to use; default: all", wholeNumber(1, MOST_CORES))
  .option("--json", "print the ratios alone, as JSON, on standard output")
  .option("--write", "write the tables to test/results/bench.md, with commit and machine")
  .addHelpText(
    "after",
    "\nExit codes: 0 every goal is met, 1 one is missed, 2 wrong usage, 130 interrupted.",
  );

/** Reads what to measure, on which cores, and with what; refuses a name that matches nothing. */
export async function readBenchOptions(given: BenchOptions) {
  const { only = "", quick = false, sample = false } = given;
  const { isMeasured } = await import("./measure-sections.ts");
  if (!isMeasured(only)) throw new WrongUsage(`no measurement has a name that begins with ${only}`);
  return { ...given, only, quick, sample, cores: divideCores(given.cores) };
}
