import type { Brand } from "./brand.ts";
import { ContentRefusal } from "./refusal.ts";

/** The kind of a transaction: eleven digits from the list of the Czech Banking Association (COBS 4.3, A-37). */
export type TransactionCode = Brand<"TransactionCode">;

/**
 * Which column of the tables of COBS 3.1.5.1 a transaction follows: `plain` those of interest, cash and cards (.1, .6,
 * .7), `fee` (.2), `domestic` (.3), `sepa` (.4) and `foreign` payments (.5).
 */
export type TransactionFamily = "plain" | "fee" | "domestic" | "sepa" | "foreign";

/** Table: families by the group (digit 1) and, where it decides, the kind (digit 6); everything else is `plain`. */
const FAMILIES: readonly (readonly [string, TransactionFamily])[] = [
  ["100001", "domestic"],
  ["100002", "foreign"],
  ["100004", "sepa"],
  ["100005", "sepa"],
  ["4", "fee"],
  ["500002", "sepa"],
];

/** Table: how the codes of SEPA direct debits and of their R-transactions begin. */
const DIRECT_DEBITS = ["100005", "500002"];

/** Reads eleven digits or refuses with FIELD_INVALID at `code`; a bank may use codes that are not in the list (4.3). */
export function parseTransactionCode(value: unknown): TransactionCode {
  const code = findTransactionCode(value);
  if (code !== undefined) return code;
  const message = "code is not a transaction code";
  throw new ContentRefusal([{ code: "FIELD_INVALID", path: "code", message }]);
}

/** Reads eleven digits as `parseTransactionCode` does; undefined if that would refuse. */
export function findTransactionCode(value: unknown): TransactionCode | undefined {
  return typeof value === "string" && /^\d{11}$/.test(value) ? (value as TransactionCode) : undefined;
}

/** Returns the family of a code, which decides the elements of a transaction (COBS 3.1.5.1). */
export function familyOf(code: TransactionCode): TransactionFamily {
  return FAMILIES.find(([lead]) => code.startsWith(lead))?.[1] ?? "plain";
}

/** Whether a code is of a direct debit, the only kind with a mandate (COBS 3.1.5.1.4). */
export function isDirectDebit(code: TransactionCode): boolean {
  return DIRECT_DEBITS.some((lead) => code.startsWith(lead));
}
