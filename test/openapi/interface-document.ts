import { describeInterface, type OpenApiDocument, type Operation } from "@cobs/cobs-model/openapi";

const METHODS = ["get", "post", "put", "delete"] as const;

const HOSTS = {
  issuer: "https://localhost:8443",
  authApi: "https://localhost:8444",
  resourceServer: "https://localhost:9443/cobs/2.0",
};

/** The description with the hosts of test servers. */
export const DOCUMENT: OpenApiDocument = describeInterface(HOSTS);

/** The description as resource serves it, with its bank's choices; here the default ones. */
export const DOCUMENT_OF_RESOURCE: OpenApiDocument = describeInterface(HOSTS, {
  tppName: "optional",
  absentUserInvolved: "present",
});

/** One operation of the description, with its place in it. */
export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** The JSON pointer of the operation, as a fragment. */
  readonly pointer: string;
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/** A place below another one, as a fragment. */
export function below(pointer: string, ...names: readonly string[]): string {
  return [pointer, ...names.map(escaped)].join("/");
}

/** Every operation of the description. */
export const OPERATIONS: readonly Described[] = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    const pointer = below("#/paths", path, method);
    return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation, pointer }];
  }),
);

/** The operation with this id. */
export function operationOf(operationId: string): Described {
  const found = OPERATIONS.find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`no operation is called ${operationId}`);
  return found;
}

/** The operation of a call, by method and address; undefined if none is described. */
export function findOperation(method: string, address: string): Described | undefined {
  const path = address.split("?")[0] ?? "";
  const candidates = OPERATIONS.filter((each) => each.method === method && patternOf(each.path).test(path));
  return candidates.find((each) => each.path === path) ?? candidates[0];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** What a fragment points to. */
export function lookUp(fragment: string): unknown {
  let found: unknown = DOCUMENT;
  for (const part of fragment.replace(/^#\//, "").split("/")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(name);
  }
  return found;
}
