import type { Brand } from "./brand.ts";

/** What kind of transaction the bank tells: eleven digits of the list of the Czech Banking Association (COBS 4.3, 9.5). */
export type TransactionCode = Brand<"TransactionCode">;
