import { type JSONVisitor, printParseErrorCode, visit } from "jsonc-parser";
import { EdgeRefusal } from "./edge-refusal.ts";

const MAX_DEPTH = 32;

function refuse(reason: string, offset: number): never {
  throw new EdgeRefusal(
    "body_malformed",
    `the body is not acceptable JSON: ${reason} at character ${offset}`,
  );
}

/** Checks structure while the text is scanned, so that depth is bounded before anything is built. */
function structureVisitor(): JSONVisitor {
  const open: (Set<string> | undefined)[] = [];
  const enter = (names: Set<string> | undefined, offset: number) => {
    if (open.push(names) > MAX_DEPTH) refuse(`nested deeper than ${MAX_DEPTH} levels`, offset);
  };
  return {
    onObjectBegin: (offset) => enter(new Set(), offset),
    onArrayBegin: (offset) => enter(undefined, offset),
    onObjectEnd: () => void open.pop(),
    onArrayEnd: () => void open.pop(),
    onObjectProperty: (name, offset) => {
      const names = open.at(-1);
      if (names?.has(name)) refuse("a member name comes twice", offset);
      if (name === "__proto__") refuse("the member name __proto__ is not allowed", offset);
      names?.add(name);
    },
    onError: (code, offset) => refuse(printParseErrorCode(code), offset),
  };
}

/**
 * Parses JSON (RFC 8259) and refuses what parsers disagree about: repeated member names, `__proto__`, comments,
 * trailing commas, more than 32 levels. Refuses with `body_malformed`, naming the character.
 */
export function parseStrictJson(text: string): unknown {
  visit(text, structureVisitor(), {
    disallowComments: true,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  try {
    return JSON.parse(text);
  } catch {
    return refuse("it does not follow RFC 8259", 0);
  }
}
