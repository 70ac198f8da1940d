import { Command, InvalidArgumentError, type OutputConfiguration } from "commander";
import { isVisibleLine, VISIBLE_LINE_FORM } from "../operator-api/visible-line.ts";

/** Who runs the program, and why. */
export interface RestoreCommand {
  readonly by: string;
  readonly reason: string;
}

const ENVIRONMENT = `
Environment:
  DATABASE_URL          PostgreSQL URL of auth; or DATABASE_URL_FILE
  DATABASE_DIRECT_URL   the same without the pooler, when DATABASE_URL goes through PgBouncer; or
                        DATABASE_DIRECT_URL_FILE

If it is interrupted, run it again.

Exit codes: 0 done, 1 a database error, or auth is running on the database, 2 wrong usage, 78 wrong configuration, or the
database was never migrated or is not auth's, 141 its output was closed.`;

/** Makes the command line of `npm run auth:after-restore --`, whose help goes to `output`. */
export function createCommandLine(output: OutputConfiguration): Command {
  return new Command("npm run auth:after-restore --")
    .configureOutput(output)
    .description(
      "Run it after restoring a backup of auth's database, before auth starts. It ends every consent, card consent, order and session that the backup brought back, and prints as JSON how many consents of both kinds it ended.",
    )
    .requiredOption("--by <name>", "who runs it; kept in the audit log", requireText)
    .requiredOption("--reason <text>", "which backup, and why; kept in the audit log", requireText)
    .addHelpText("after", ENVIRONMENT)
    .showHelpAfterError("See --help.")
    .exitOverride();
}

/** Requires the form that the operator API requires of a reason. */
function requireText(text: string): string {
  if (isVisibleLine(text)) return text;
  throw new InvalidArgumentError(`It must be ${VISIBLE_LINE_FORM}.`);
}
