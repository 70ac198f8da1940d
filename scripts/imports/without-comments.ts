/** A source as the import rules see it, with every remaining character at its original place. */
export interface PlainSource {
  /** The source without comments: an import in a comment does not count, and an apostrophe there starts no string. */
  readonly code: string;
  /** Without quoted strings as well; templates stay, because they contain code. */
  readonly bare: string;
}

/** Matches a comment, or what may contain the characters of one: a string, a template, a regular expression. */
const TOKEN = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
    /(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
    // A template, with templates nested in its substitutions.
    /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`{}]|\{[^`{}]*\}|`(?:[^`\\]|\\[\s\S])*`)*\})*`/,
    // A regular expression: its slash follows only these characters and words.
    /(?<=(?:[(,=:[!&|?{};>]|\breturn)\s*)\/(?:[^/*\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\//,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** Blanks out the comments and the strings; lines and columns stay. */
export function withoutComments(source: string): PlainSource {
  const take = (kinds: readonly string[]) =>
    source.replace(TOKEN, (token, ...rest) => {
      const groups: Readonly<Record<string, string | undefined>> = rest.at(-1);
      return kinds.some((kind) => groups[kind] !== undefined) ? blank(token) : token;
    });
  return { code: take(["comment"]), bare: take(["comment", "text"]) };
}
