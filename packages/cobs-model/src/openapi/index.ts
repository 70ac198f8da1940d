/**
 * The public interface of a bank as an OpenAPI 3.1 document, made of small files of data: schemas, answers, operations. It
 * owns the words in which TPPs are told what they can call; it decides nothing, and the services obey no part of it. That
 * both say the same is checked by `test/openapi`.
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
