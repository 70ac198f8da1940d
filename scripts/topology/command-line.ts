import {
  addVariablesHelp,
  createCommand,
  wholeNumber,
} from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { TOPOLOGY_VARIABLES } from "./configuration.ts";

const MOST_PROCESSES = 4;

/** The options of `npm run topology`. */
export interface TopologyCommandLine {
  readonly directory: string;
  readonly processes: number;
  readonly json?: boolean;
}

/** The command line of `npm run topology`. */
export const TOPOLOGY_COMMAND = addVariablesHelp(
  createCommand(
    "npm run topology",
    "Starts several processes of each service behind HAProxy. Ctrl-C stops everything.",
  )
    .option("--directory <folder>", "folder for all its files", ".topology")
    .option("--processes <number>", "processes of each service", wholeNumber(1, MOST_PROCESSES), 2)
    .option("--json", "print one line of JSON on standard output, once it is ready"),
  TOPOLOGY_VARIABLES,
).addHelpText("after", "Exit codes: 0 stopped, 1 it could not start, 2 wrong usage, 78 wrong configuration.");
