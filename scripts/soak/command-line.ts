import { createCommand, WrongUsage } from "../../packages/sandbox/src/terminal/read-command-line.ts";

/** What `npm run soak` is asked for. */
export interface SoakOptions {
  readonly minutes: number;
  readonly json?: boolean;
  readonly write?: boolean;
}

/** The command line of `npm run soak`. */
export const SOAK_COMMAND = createCommand(
  "npm run soak",
  "Loads one resource server with 10,000 consents of 50 TPPs, with 100 accounts each, and prints its memory and caches.",
)
  .option(
    "--minutes <number>",
    "how long the load lasts once every consent was used, from 0.5 to 1440",
    readMinutes,
    5,
  )
  .option("--json", "print the result as JSON, and nothing else, on standard output")
  .option("--write", "write the result to test/results/soak-consents.md, with commit and machine")
  .addHelpText(
    "after",
    "\nExit codes: 0 nothing was wrong, 1 memory grew, a cache exceeded its bound or a call failed, 2 wrong usage.",
  );

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^[\d.]+$/.test(text) && minutes >= 0.5 && minutes <= 1_440) return minutes;
  throw new WrongUsage("It must be a number from 0.5 to 1440.");
}
