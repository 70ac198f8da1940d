import { type Format, OBJECT } from "./element-formats.ts";

/**
 * One row of a table of elements: the path of an element, its occurrence in each kind of transaction or payment (one letter
 * each, in the order of the table's kinds), and its format. `M` mandatory, `O` optional, `-` not used, `C` exactly one of the
 * siblings with a C, `A` at least one of the siblings with an A, `D` optional in a direct debit and otherwise not used. A
 * mandatory child of an absent parent is not missing (PDF 3.1.1).
 */
export type ElementRow = readonly [path: string, occurrences: string, format: Format];

/** Occurrence of an element in one kind of transaction (COBS 3.1.1): mandatory, optional, not used, or one of a choice. */
const OCCURRENCES = ["M", "O", "-", "C", "A"] as const;
type Occurrence = (typeof OCCURRENCES)[number];

/** Elements of which exactly one, or at least one, must be present; `positions` are theirs among the children. */
export type Choice = {
  readonly names: readonly string[];
  readonly positions: readonly number[];
  readonly exactlyOne: boolean;
};

/** An element of one kind of transaction, with its children. */
export type ElementNode = {
  readonly name: string;
  readonly occurrence: Occurrence;
  readonly format: Format;
  readonly children: readonly ElementNode[];
  readonly names: ReadonlySet<string>;
  readonly choices: readonly Choice[];
};

/** Makes the tree of one kind of transaction; `letterOf` returns the letter of a row for that kind. */
export function growTree(
  rows: readonly ElementRow[],
  letterOf: (letters: string) => string | undefined,
): ElementNode {
  const rowsBelow = groupByParent(rows);
  const grow = ([path, letters, format]: ElementRow): ElementNode => {
    const children = (rowsBelow.get(path) ?? []).map(grow);
    const names = new Set(children.map(({ name }) => name));
    const name = path.slice(path.lastIndexOf(".") + 1);
    const occurrence = occurrenceOf(letterOf(letters));
    return { name, occurrence, format, children, names, choices: choicesOf(children) };
  };
  return grow(["", "", OBJECT]);
}

function occurrenceOf(letter: string | undefined): Occurrence {
  return OCCURRENCES.find((each) => each === letter) ?? "O";
}

function groupByParent(rows: readonly ElementRow[]): ReadonlyMap<string, readonly ElementRow[]> {
  const groups = new Map<string, ElementRow[]>();
  for (const row of rows) {
    const group = groups.get(parentOf(row[0]));
    if (group === undefined) groups.set(parentOf(row[0]), [row]);
    else group.push(row);
  }
  return groups;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function choicesOf(children: readonly ElementNode[]): readonly Choice[] {
  const choices = [choiceOf(children, "C"), choiceOf(children, "A")];
  return choices.filter(({ names }) => names.length > 0);
}

function choiceOf(children: readonly ElementNode[], occurrence: "C" | "A"): Choice {
  const ofChoice = children.filter((child) => child.occurrence === occurrence);
  return {
    names: ofChoice.map(({ name }) => name),
    positions: ofChoice.map((child) => children.indexOf(child)),
    exactlyOne: occurrence === "C",
  };
}
