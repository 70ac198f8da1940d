/** A source as the rules of imports look at it, each sign where it was. */
export interface PlainSource {
  /** Without its comments: what is in one is no import, and an apostrophe in one begins no text. */
  readonly code: string;
  /** Without the texts in quotes either; templates stay, which hold code. */
  readonly bare: string;
}

/** A comment; or what may hold the signs of one: a text, a template, a regular expression. */
const TOKEN = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
    /(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
    // With templates in what it puts in.
    /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`{}]|\{[^`{}]*\}|`(?:[^`\\]|\\[\s\S])*`)*\})*`/,
    // Only behind these signs and words does a slash begin one.
    /(?<=(?:[(,=:[!&|?{};>]|\breturn)\s*)\/(?:[^/*\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*\//,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** Takes the comments out, and the texts; lines and columns stay. */
export function withoutComments(source: string): PlainSource {
  const take = (kinds: readonly string[]) =>
    source.replace(TOKEN, (token, ...rest) => {
      const groups: Readonly<Record<string, string | undefined>> = rest.at(-1);
      return kinds.some((kind) => groups[kind] !== undefined) ? blank(token) : token;
    });
  return { code: take(["comment"]), bare: take(["comment", "text"]) };
}
