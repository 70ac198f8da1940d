import { parseDatabasePlace } from "@cobs/service-edge/configuration";
import {
  createCommand,
  WrongUsage,
  wholeNumber,
} from "../../packages/sandbox/src/terminal/read-command-line.ts";

const MOST_PROCESSES = 4;

interface TopologyOptions {
  readonly directory: string;
  readonly processes: number;
  readonly authDatabase?: string;
  readonly resourceDatabase?: string;
  readonly redis?: string;
  readonly json?: boolean;
}

/** The command line of `npm run topology`. */
export const TOPOLOGY_COMMAND = createCommand(
  "npm run topology",
  "Starts several processes of each service behind HAProxy. Ctrl-C stops everything.",
)
  .option("--directory <folder>", "folder for all its files", ".topology")
  .option("--processes <number>", "processes of each service", wholeNumber(1, MOST_PROCESSES), 2)
  .option("--auth-database <url>", "PostgreSQL of auth; default: an embedded one, for both services")
  .option("--resource-database <url>", "PostgreSQL of resource")
  .option("--redis <url>", "Redis of auth; default: none, PostgreSQL is used")
  .option("--json", "print one line of JSON on standard output, once it is ready")
  .addHelpText("after", "\nExit codes: 0 stopped, 1 it could not start, 2 wrong usage.");

/** Reads the options; refuses one database without the other. */
export function readTopologyOptions({
  authDatabase: auth,
  resourceDatabase: resource,
  ...options
}: TopologyOptions) {
  requireDatabase("--auth-database", auth);
  requireDatabase("--resource-database", resource);
  if (auth !== undefined && resource !== undefined) return { ...options, database: { auth, resource } };
  if (auth === resource) return { ...options, database: undefined };
  throw new WrongUsage("--auth-database and --resource-database must be given together");
}

/** Checks a database URL here and not in the option's parser, whose error would show the value and so a password. */
function requireDatabase(option: string, url: string | undefined): void {
  try {
    if (url !== undefined) parseDatabasePlace(url);
  } catch (error) {
    throw new WrongUsage(`${option} ${error instanceof Error ? error.message : "cannot be read"}`);
  }
}
