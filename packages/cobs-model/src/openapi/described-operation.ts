import type { Operation, OperationMethod } from "./openapi-document.ts";

/** Host that answers: the PSU's browser host, auth's API host, or that of the accounts and payments. */
export type Host = "browser" | "auth" | "resource";

/** One operation with its place; the addresses of the hosts are filled in by `describeInterface`. */
export type DescribedOperation = Omit<Operation, "servers"> & {
  readonly host: Host;
  readonly method: OperationMethod;
  /** With `{name}` parts, e.g. `/cobs/2.0/applications/{id}`. */
  readonly path: string;
};
