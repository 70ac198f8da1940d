// Of consents and applications 22 characters of base64url, of keys 43; no option of the command is so long.
const ID = /^-[A-Za-z0-9_-]{21}(?:[A-Za-z0-9_-]{21})?$/;
/** The options that no value follows. */
const FLAGS: ReadonlySet<string> = new Set(["--json", "--history"]);

/**
 * Lets ids that begin with a hyphen be arguments: they are moved behind `--`, where nothing is an option any more. One that
 * stands behind an option is its value, and stays there.
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
