import type { Brand } from "./brand.ts";
import { ContentRefusal } from "./refusal.ts";

/** What kind of transaction the bank tells: eleven digits of the list of the Czech Banking Association (COBS 4.3). */
export type TransactionCode = Brand<"TransactionCode">;

/**
 * Which column of the tables of COBS 3.1.5.1 a transaction follows: `plain` those of interest, cash and cards (.1, .6,
 * .7), `fee` (.2), `domestic` (.3), `sepa` (.4) and `foreign` payments (.5).
 */
export type TransactionFamily = "plain" | "fee" | "domestic" | "sepa" | "foreign";

/** Table: the 76 codes of COBS PDF 4.3 and what they mean. */
export const TRANSACTION_CODES = {
  "10000101000": "Domestic payment, outgoing",
  "10000102000": "Domestic payment, outgoing, express",
  "10000103000": "Domestic collection, credit",
  "10000104000": "Domestic collection, debit",
  "10000105000": "Domestic standing order",
  "10000106000": "Domestic SIPO",
  "10000107000": "Domestic payment, incoming",
  "10000201000": "Foreign payment, outgoing",
  "10000202000": "Foreign payment, incoming",
  "10000301000": "Other payment",
  "10000401000": "SEPA credit transfer, outgoing",
  "10000402000": "SEPA credit transfer, outgoing, express",
  "10000403000": "SEPA credit transfer, incoming",
  "10000501000": "SEPA direct debit, incoming, Core",
  "10000502000": "SEPA direct debit, outgoing, Core",
  "10000503000": "SEPA direct debit, incoming, B2B",
  "10000504000": "SEPA direct debit, outgoing, B2B",
  "20000101000": "Cash deposit without conversion, local currency",
  "20000102000": "Cash deposit without conversion, foreign currency",
  "20000103000": "Cash deposit with conversion",
  "20000104000": "Cash deposit to an account in another bank",
  "20000201000": "Cash withdrawal without conversion, local currency",
  "20000202000": "Cash withdrawal without conversion, foreign currency",
  "20000203000": "Cash withdrawal with conversion",
  "20000301000": "Cash processing",
  "20000302000": "Other cash services",
  "30000101000": "Card, ATM withdrawal",
  "30000102000": "Card, ATM withdrawal abroad",
  "30000103000": "Card, ATM deposit",
  "30000201000": "Card, payment at a merchant",
  "30000202000": "Card, cashback",
  "30000203000": "Card, cash advance",
  "30000301000": "Other card services",
  "40000101000": "Charge for a domestic outgoing payment",
  "40000102000": "Charge for a domestic incoming payment",
  "40000103000": "Charge for a domestic standing order",
  "40000104000": "Other charge for domestic payments",
  "40000201000": "Charge for a foreign outgoing payment",
  "40000202000": "Charge for a foreign incoming payment",
  "40000203000": "Other charge for foreign payments",
  "40000301000": "Charge for a SEPA outgoing payment",
  "40000302000": "Charge for a SEPA incoming payment",
  "40000303000": "Charge for a SEPA direct debit B2C",
  "40000304000": "Charge for a SEPA direct debit B2B",
  "40000401000": "Charge for a cash deposit",
  "40000402000": "Charge for a cash withdrawal",
  "40000403000": "Other charge for cash",
  "40000501000": "Charge for a card at an ATM",
  "40000502000": "Charge for a card at a merchant",
  "40000503000": "Other charge for a card",
  "40000601000": "Charge for a loan",
  "40000602000": "Charge for cheques",
  "40000603000": "Charge for trade finance",
  "40000604000": "Charge for treasury",
  "40000605000": "Charge for other services",
  "50000201001": "SEPA direct debit B2C, return",
  "50000201002": "SEPA direct debit B2C, refund",
  "50000201003": "SEPA direct debit B2C, reversal",
  "50000201004": "SEPA direct debit B2C, reject",
  "50000201005": "SEPA direct debit B2C, refusal",
  "50000201006": "SEPA direct debit B2C, revocation",
  "50000201007": "SEPA direct debit B2C, request for cancellation",
  "50000202001": "SEPA direct debit B2B, return",
  "50000202002": "SEPA direct debit B2B, refund",
  "50000202003": "SEPA direct debit B2B, reversal",
  "50000202004": "SEPA direct debit B2B, reject",
  "50000202005": "SEPA direct debit B2B, refusal",
  "50000202006": "SEPA direct debit B2B, revocation",
  "50000202007": "SEPA direct debit B2B, request for cancellation",
  "90000101000": "Loans",
  "90000201000": "Interest",
  "90000301000": "Cheques",
  "90000401000": "Trade finance",
  "90000501000": "Treasury",
  "90000601000": "Bonuses",
  "90000701000": "Other services",
} as const;

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

/** Reads eleven digits or refuses with FIELD_INVALID at `path`; a bank may have details that the list has not (4.3). */
export function parseTransactionCode(value: unknown, path = "code"): TransactionCode {
  const code = findTransactionCode(value);
  if (code !== undefined) return code;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path, message: `${path} is not a transaction code` }]);
}

/** Reads eleven digits as `parseTransactionCode` does, or gives undefined. */
export function findTransactionCode(value: unknown): TransactionCode | undefined {
  return typeof value === "string" && /^\d{11}$/.test(value) ? (value as TransactionCode) : undefined;
}

/** Which elements a transaction has follows from its code (COBS 3.1.5.1). */
export function familyOf(code: TransactionCode): TransactionFamily {
  return FAMILIES.find(([lead]) => code.startsWith(lead))?.[1] ?? "plain";
}

/** Only a direct debit has a mandate (COBS 3.1.5.1.4). */
export function isDirectDebit(code: TransactionCode): boolean {
  return DIRECT_DEBITS.some((lead) => code.startsWith(lead));
}
