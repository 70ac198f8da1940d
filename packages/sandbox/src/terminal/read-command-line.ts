import { requireClearOptions, type Variable } from "@cobs/service-edge/configuration";
import { Command, CommanderError, InvalidArgumentError } from "commander";

/** An option is well formed but cannot be followed. The message, a sentence without its full stop, is printed. */
export { InvalidArgumentError as WrongUsage } from "commander";

const EXIT_USAGE = 2;

/** The command line of a program that is started as `name`, such as `npm run bench`, with `--help`. */
export function createCommand(name: string, meaning: string): Command {
  // The caller reports errors, in one line.
  return new Command(`${name} --`)
    .description(meaning)
    .allowExcessArguments()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
}

/** Adds the environment variables that a program reads to its help. */
export function addVariablesHelp(command: Command, variables: readonly Variable[]): Command {
  const width = Math.max(...variables.map(({ name }) => name.length));
  return command.addHelpText("after", () => {
    const help = command.createHelp();
    help.prepareContext({ helpWidth: process.stdout.columns });
    const rows = variables.map((each) => help.formatItem(each.name, width, describeVariable(each), help));
    return ["\nEnvironment variables:", ...rows, ""].join("\n");
  });
}

function describeVariable({ meaning, default: usual }: Variable): string {
  const text = meaning.replaceAll("`", "");
  return usual === undefined ? text : `${text} (default: ${usual})`;
}

/**
 * The result of reading a command line: its value, or how the process ends, with one line on standard error if it is wrong.
 */
export type ReadCommand<T> =
  | { readonly value: T }
  | { readonly exitCode: number; readonly complaint: string };

/** Turns the options and words of a command line into a value. Refuses with `WrongUsage`. */
export type ReadOptions<Options, T> = (options: Options, words: readonly string[]) => T | Promise<T>;

/** Reads a command line; help goes to standard output. */
export async function parseCommandLine<Options, T>(
  command: Command,
  read: ReadOptions<Options, T>,
  words: readonly string[],
): Promise<ReadCommand<T>> {
  try {
    requireClearOptions(command, words);
    command.parse(words, { from: "user" });
    refuseExcess(command);
    return { value: await read(command.opts<Options & Record<string, unknown>>(), command.args) };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exitCode: 0, complaint: "" };
    const name = command.name().replace(/ --$/, "");
    return { exitCode: EXIT_USAGE, complaint: `${name}: ${presentFault(error)}\n` };
  }
}

/**
 * Reads the command line of this process before anything is started. A wrong one ends the process with 2, a request for help
 * with 0. Callers import afterwards what only the work needs, so that neither waits for it.
 */
export async function readCommandLine<Options, T>(
  command: Command,
  read: ReadOptions<Options, T>,
): Promise<T> {
  const outcome = await parseCommandLine(command, read, process.argv.slice(2));
  if ("value" in outcome) return outcome.value;
  process.stderr.write(outcome.complaint);
  process.exit(outcome.exitCode);
}

/** Refuses extra words, naming the first; commander would only count them. */
function refuseExcess({ args, registeredArguments }: Command): void {
  const excess = args[registeredArguments.length];
  if (excess !== undefined && registeredArguments.at(-1)?.variadic !== true)
    throw new InvalidArgumentError(`unexpected argument '${excess}'`);
}

function presentFault({ message }: CommanderError): string {
  const sentence = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return `${sentence.replace(/\.$/, "")}; see --help`;
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}
