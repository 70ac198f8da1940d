import { Command, InvalidArgumentError, type OutputConfiguration } from "commander";

/** Who runs the program, and why. */
export interface RestoreCommand {
  readonly by: string;
  readonly reason: string;
}

const ENVIRONMENT = `
Environment:
  DATABASE_URL   PostgreSQL URL of auth; or DATABASE_URL_FILE

Run again after it broke off, it goes on.

Exit codes: 0 done, 1 a fault of the database's, 2 wrong usage, 78 wrong configuration, or not the database of auth.`;

/** The command line of `npm run auth:after-restore --`, whose help goes to `output`. */
export function createCommandLine(output: OutputConfiguration): Command {
  return new Command("npm run auth:after-restore --")
    .configureOutput(output)
    .description(
      "After a backup of auth's database was restored, and before auth runs again: ends every consent, card consent, order and session that it has revived, and prints how many as JSON.",
    )
    .requiredOption("--by <name>", "who runs it; kept in the audit log", requireText)
    .requiredOption("--reason <text>", "which backup, and why; kept in the audit log", requireText)
    .addHelpText("after", ENVIRONMENT)
    .showHelpAfterError("See --help.")
    .exitOverride();
}

function requireText(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It is empty.");
}
