import type { Reference, Schema } from "./openapi-document.ts";

export function schemaOf(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function parameterOf(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

export function responseOf(name: string): Reference {
  return { $ref: `#/components/responses/${name}` };
}

/** Points to headers by their names, for the headers of an answer. */
export function headersOf(...names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
