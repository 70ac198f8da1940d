/** An option of a command line, as Commander describes it; a variadic one gathers the values of all its occurrences. */
interface KnownOption {
  readonly long?: string | undefined;
  readonly required: boolean;
  readonly variadic: boolean;
}

/** The options and commands of a command line. */
interface Grammar {
  readonly options: readonly KnownOption[];
  readonly commands: readonly Grammar[];
}

/** The whole command line; refuses by throwing its own error. */
interface CommandLine extends Grammar {
  error(message: string, details: { readonly exitCode: number }): never;
}

const EXIT_USAGE = 2;
/**
 * Matches `--json`, `--reason=x` and `--` alone, but neither plain words nor an id of 22 characters that begins with hyphens.
 */
const OPTION = /^(?:--(?:[a-z][a-z-]*(?:=.*)?)?|-h)$/s;

/** Returns the words that may be options: those before `--`. */
export function optionWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end === -1 ? words : words.slice(0, end);
}

/**
 * Refuses what Commander would misread: it takes the last value of an option given twice, and takes the next option as the
 * value of one without a value. Options in `repeatable` gather values, as variadic ones do.
 */
export function requireClearOptions(
  program: CommandLine,
  words: readonly string[],
  repeatable: readonly string[] = [],
): void {
  const fault = findUnclear(words, valuedOptions(program, repeatable));
  if (fault !== undefined) program.error(`error: ${fault}`, { exitCode: EXIT_USAGE });
}

function findUnclear(
  words: readonly string[],
  { valued, single }: Readonly<Record<"valued" | "single", ReadonlySet<string>>>,
): string | undefined {
  const given = new Set<string>();
  for (let at = 0; at < words.length && words[at] !== "--"; at += 1) {
    const [name = "", value] = (words[at] ?? "").split("=", 2);
    if (!valued.has(name)) continue;
    if (given.has(name) && single.has(name)) return `${name} may be given only once`;
    given.add(name);
    if (value !== undefined) continue;
    at += 1;
    const next = words[at] ?? "";
    if (OPTION.test(next))
      return `${name} has no value before ${nameOf(next)}; for a value that begins with -, write ${name}=…`;
  }
  return undefined;
}

const nameOf = (option: string) => option.split("=", 1).join();

/** Names of the options of any command that take a value, and of those among them that take only one. */
function valuedOptions(program: Grammar, repeatable: readonly string[]) {
  const [valued, single] = [new Set<string>(), new Set<string>()];
  for (const { long, required, variadic } of optionsOf(program)) {
    if (!required || long === undefined) continue;
    valued.add(long);
    if (!variadic && !repeatable.includes(long)) single.add(long);
  }
  return { valued, single };
}

function optionsOf({ options, commands }: Grammar): readonly KnownOption[] {
  return [...options, ...commands.flatMap(optionsOf)];
}
