import type { OpenApiDocument, OperationMethod } from "./openapi-document.ts";

/** One operation in a line. */
export type OperationLine = {
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly statuses: readonly string[];
};

const METHODS: readonly OperationMethod[] = ["get", "post", "put", "delete"];

/** Lists the operations of a document, by heading and then in the document's order. */
export function listOperations({ tags, paths }: OpenApiDocument): readonly OperationLine[] {
  const lines = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId, summary, description, tags: named, servers } = operation;
      const [tag = "", server = ""] = [named[0], servers[0]?.url];
      const statuses = Object.keys(operation.responses);
      const told = { operationId, summary, description, statuses };
      return [{ tag, method: method.toUpperCase(), path, server, ...told }];
    }),
  );
  return tags.flatMap(({ name }) => lines.filter(({ tag }) => tag === name));
}
