/** Options with which a service is started. */
export interface ServiceCommand {
  /** Print the options and end. */
  readonly help: boolean;
  /** Validate the configuration and end. */
  readonly check: boolean;
  /** Number of processes that share its ports; 1 means this process alone. */
  readonly processes: number;
}

const MOST_PROCESSES = 128;

/** Text that `--help` of a service prints. */
export const SERVICE_USAGE = `Options:
  --check          validate the configuration, and end: 0, or 78 with every fault
  --processes <n>  how many processes share its ports, at most ${MOST_PROCESSES} (default: 1)
  -h, --help       display this

Configuration comes from environment variables, which CONFIGURATION.md of the package lists. SIGTERM, SIGINT
and SIGHUP end the service.
`;

/** Parses the command line of a service: `--check`, `--processes N`, `--help`. Throws a sentence for a person. */
export function parseCommandLine(words: readonly string[]): ServiceCommand {
  let command: ServiceCommand = { help: false, check: false, processes: 1 };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [name, value] = word.split("=", 2);
    if (word === "--help" || word === "-h") command = { ...command, help: true };
    else if (word === "--check") command = { ...command, check: true };
    else if (name === "--processes") command = { ...command, processes: parseCount(value ?? rest.shift()) };
    else throw new RangeError(`unknown option ${word}; the options are --check, --processes N and --help`);
  }
  return command;
}

function parseCount(text = ""): number {
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= MOST_PROCESSES) return count;
  throw new RangeError(`--processes must be a whole number from 1 to ${MOST_PROCESSES}`);
}
