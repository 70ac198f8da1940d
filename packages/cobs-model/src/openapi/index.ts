/**
 * The public interface of a bank as an OpenAPI 3.1 document, made of small files of data: schemas, answers, operations. It
 * owns the words that tell TPPs what they can call. It decides nothing, and the services do not use it; `test/openapi` checks
 * that both agree.
 */
export type { BankChoices } from "./bank-choices.ts";
export type { InterfaceHosts } from "./describe-interface.ts";
export { describeInterface } from "./describe-interface.ts";
export type { OperationLine } from "./list-operations.ts";
export { listOperations } from "./list-operations.ts";
export type {
  Example,
  Header,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
  Schema,
} from "./openapi-document.ts";
