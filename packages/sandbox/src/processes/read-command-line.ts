const EXIT_USAGE = 2;

/** Options that are well formed and cannot be followed; its message is what is said. */
export class WrongUsage extends Error {}

/** What `parseArgs` gives of a command line; a wrong one is one line on standard error, and the process ends with 2. */
export function readCommandLine<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isWrongUsage(error)) throw error;
    process.stderr.write(`${command}: ${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}

function isWrongUsage(error: unknown): error is Error {
  if (error instanceof WrongUsage) return true;
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}
