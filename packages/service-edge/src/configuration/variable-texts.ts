import { readFileSync } from "node:fs";
import { isPathBeyondDoubt } from "./path-beyond-doubt.ts";
import { type Environment, findSet, type Variable } from "./variable.ts";

/** Something wrong with one variable, in a sentence that names it. */
export class VariableFault extends Error {}

/** The texts of the variables of a table, before they are parsed. A variable that is not in the table is a `TypeError`. */
export interface VariableTexts {
  /** The text, or the default of the table. Throws `VariableFault` when there is neither. */
  text(name: string): string;
  optionalText(name: string): string | undefined;
  /** Throws `TypeError` when the table has no bounds for it. */
  boundsOf(name: string): NonNullable<Variable["bounds"]>;
  /** Whether a secret is set, in either way. */
  hasSecret(name: string): boolean;
  /** The text of the variable, or the content of the file that `<name>_FILE` names; exactly one of them, and not empty. */
  secretText(name: string): string;
}

/** Finds texts in an environment. */
export function createVariableTexts(variables: readonly Variable[], environment: Environment): VariableTexts {
  const known = new Map(variables.map((variable) => [variable.name, variable]));

  function optionalText(name: string): string | undefined {
    const variable = known.get(name);
    if (variable === undefined) throw new TypeError(`${name} is not in the table of variables`);
    return findSet(environment, name) ?? variable.default;
  }

  function text(name: string): string {
    const value = optionalText(name);
    if (value === undefined) throw new VariableFault(`${name} is required: ${known.get(name)?.meaning}`);
    return value;
  }

  function secretText(name: string): string {
    const path = findSet(environment, `${name}_FILE`);
    if (path === undefined) return text(name);
    // Nobody can tell which one is meant, and the other may be the production database.
    if (findSet(environment, name) !== undefined)
      throw new VariableFault(`${name} and ${name}_FILE are both set: remove one of them`);
    const value = parseText(`${name}_FILE:`, path, readContent).toString("utf8").trim();
    if (value === "") throw new VariableFault(`${name}_FILE: the file ${path} is empty`);
    return value;
  }

  return {
    text,
    optionalText,
    boundsOf: (name) => {
      const bounds = known.get(name)?.bounds;
      if (bounds === undefined) throw new TypeError(`${name} has no bounds in the table of variables`);
      return bounds;
    },
    hasSecret: (name) => (findSet(environment, `${name}_FILE`) ?? optionalText(name)) !== undefined,
    secretText,
  };
}

/** Parses a text. What `parse` throws becomes a `VariableFault`, whose sentence begins with `subject`. */
export function parseText<T>(subject: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new VariableFault(`${subject} ${error instanceof Error ? error.message : "cannot be read"}`);
  }
}

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: ": there is no such file",
  EACCES: ": this process may not read it",
  EISDIR: ": it is a folder",
};

/** Reads a file. Throws a sentence that names it, if the text is a path beyond doubt. */
export function readContent(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const named = isPathBeyondDoubt(path) ? `${path} ` : "";
    throw new Error(`the file ${named}cannot be read${WHY_UNREADABLE[code] ?? ""}`);
  }
}
