import type { Reference, Schema } from "./openapi-document.ts";

/** Points to a schema by its name. */
export function schemaOf(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Points to a parameter by its name. */
export function parameterOf(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

/** Points to an answer by its name. */
export function responseOf(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}

/** Points to headers by their names, for the headers of an answer. */
export function headersOf(...names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
