// Ids of consents and applications have 22 characters of base64url, those of keys 43; no option of the command is that long.
const ID = /^-[A-Za-z0-9_-]{21}(?:[A-Za-z0-9_-]{21})?$/;
/** Options that take no value. */
const FLAGS: ReadonlySet<string> = new Set(["--json", "--history"]);

/**
 * Moves ids that begin with a hyphen behind `--`, so that they are read as arguments, not options. An id that follows an option
 * is its value, and stays there.
 */
export function separateIds(commandLine: readonly string[]): readonly string[] {
  if (commandLine.includes("--")) return commandLine;
  const isValue = (at: number) => {
    const before = commandLine[at - 1] ?? "";
    return before.startsWith("--") && !before.includes("=") && !FLAGS.has(before) && !ID.test(before);
  };
  const ids = commandLine.filter((text, at) => ID.test(text) && !isValue(at));
  if (ids.length === 0) return commandLine;
  const others = commandLine.filter((text, at) => !ID.test(text) || isValue(at));
  return [...others, "--", ...ids];
}
