import { Command, CommanderError, InvalidArgumentError } from "commander";

/** What is well formed and cannot be followed; its message, a sentence without its full stop, is what is said. */
export { InvalidArgumentError as WrongUsage } from "commander";

const EXIT_USAGE = 2;

/** The command line of a program that is started as `name`, such as `npm run bench`; `--help` tells what is added to it. */
export function createCommand(name: string, meaning: string): Command {
  // What is wrong is told by who reads it, in one line.
  return new Command(`${name} --`)
    .description(meaning)
    .allowExcessArguments()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
}

/**
 * What a command line says, before anything is started. A wrong one is one line on standard error, and the process ends with 2;
 * it ends with 0 when help is asked for.
 */
export function readCommandLine<Options, T>(
  command: Command,
  read: (options: Options, words: readonly string[]) => T,
): T {
  try {
    command.parse();
    refuseExcess(command);
    return read(command.opts<Options & Record<string, unknown>>(), command.args);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) process.exit(0);
    process.stderr.write(`${command.name().replace(/ --$/, "")}: ${presentFault(error)}\n`);
    process.exit(EXIT_USAGE);
  }
}

/** As commander would, which tells how many words there are and not which. */
function refuseExcess({ args, registeredArguments }: Command): void {
  const excess = args[registeredArguments.length];
  if (excess !== undefined && registeredArguments.at(-1)?.variadic !== true)
    throw new InvalidArgumentError(`unexpected argument '${excess}'`);
}

function presentFault({ message }: CommanderError): string {
  const sentence = message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  return `${sentence.replace(/\.$/, "")}; --help tells more`;
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is a whole number ${range}.`);
  };
}
