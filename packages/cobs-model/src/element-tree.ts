import type { ElementRow } from "./transaction-elements.ts";
import { type Format, OBJECT } from "./transaction-formats.ts";

/** An element with those below it, by their names. */
export type ElementNode = {
  readonly name: string;
  readonly occurrences: string;
  readonly format: Format;
  readonly children: Map<string, ElementNode>;
};

/** Makes a tree of the rows of a table in which parents stand before their children. */
export function growTree(rows: readonly ElementRow[]): ElementNode {
  const root = { name: "", occurrences: "", format: OBJECT, children: new Map() };
  for (const [path, occurrences, format] of rows) {
    const names = path.split(".");
    const name = names.pop() ?? "";
    const parent = names.reduce((node, each) => childOf(node, each), root);
    parent.children.set(name, { name, occurrences, format, children: new Map() });
  }
  return root;
}

function childOf(node: ElementNode, name: string): ElementNode {
  const child = node.children.get(name);
  if (child === undefined) throw new TypeError(`${name} stands before its parent`);
  return child;
}
