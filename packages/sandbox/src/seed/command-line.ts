import { Command, type OutputConfiguration } from "commander";
import { jsonOption } from "../terminal/json-option.ts";
import type { SeedOptions } from "./seed-order.ts";

/** Every option of the command line. */
export type SeedCommand = SeedOptions & { readonly databaseUrlFile?: string; readonly json?: boolean };

const EXAMPLES = `
Examples:
  npm run seed -- --transactions 100000
  npm run seed -- --transactions 10000000 --accounts 1000 --largest 1000000 --psu jana

Everything is added in one transaction: when interrupted, it leaves nothing behind. A second run with the same --seed
changes nothing, and is wrong usage with other options.

Exit codes: 0 done or already there, 1 an unexpected error, 2 wrong usage, 3 no sandbox database, 4 no database,
130 interrupted.`;

/** The command line of `npm run seed --`; help goes to `output`. */
export function createCommandLine(
  run: (command: SeedCommand) => Promise<void>,
  output: OutputConfiguration,
): Command {
  return new Command("npm run seed --")
    .configureOutput(output)
    .description(
      "Adds accounts to the bank of the running sandbox, with any number of transactions of all kinds.",
    )
    .requiredOption("--transactions <number>", "total number of transactions")
    .option("--accounts <number>", "number of accounts; default: one for each 10,000 transactions")
    .option(
      "--largest <number>",
      "transactions of the largest account; default: a tenth of all, or what one for each other leaves",
    )
    .option("--psu <username>", "the demo PSU who gets the largest account", "firma")
    .option("--seed <name>", "decides every name, number and amount", "1")
    .option(
      "--database-url-file <file>",
      "file with the URL of a resource server's database; default: RESOURCE_DATABASE_URL, or the sandbox's",
    )
    .addOption(jsonOption())
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("See --help.")
    .exitOverride()
    .action(run);
}
