/**
 * What a transaction must, may and must not have, by its kind (COBS 3.1.5.1). It owns the reading of a transaction that enters
 * from a core system or a seed, so that everything inside can be sent to a TPP unchanged; the rules themselves are the table
 * in `transaction-elements.ts`.
 */
import { isProven, readElement } from "./element-reader.ts";
import { type ElementNode, growTree } from "./element-tree.ts";
import { isObject } from "./is-object.ts";
import { parseAmount } from "./money.ts";
import { ContentRefusal, type Fault } from "./refusal.ts";
import type { Transaction, TransactionJson } from "./transaction.ts";
import {
  familyOf,
  findTransactionCode,
  isDirectDebit,
  type TransactionCode,
  type TransactionFamily,
} from "./transaction-code.ts";
import { TRANSACTION_ELEMENTS } from "./transaction-elements.ts";

/** Position of each family's letter in a row of the table. */
const COLUMNS: Readonly<Record<TransactionFamily, number>> = {
  plain: 0,
  fee: 1,
  domestic: 2,
  sepa: 3,
  foreign: 4,
};

/** Element trees made from the table, one for each family. */
const TREES: Readonly<Record<TransactionFamily | "directDebit", ElementNode>> = {
  plain: treeOf("plain"),
  fee: treeOf("fee"),
  domestic: treeOf("domestic"),
  sepa: treeOf("sepa"),
  directDebit: treeOf("sepa", true),
  foreign: treeOf("foreign"),
};

/**
 * Reads a transaction that is stored or handed over (`TransactionJson`, with null for what is absent), or refuses with every
 * fault by its path below `path`. FIELD_MISSING: the kind of transaction needs an element. FIELD_INVALID: an element is not
 * allowed for the kind, is unknown to the standard (unless such elements are ignored), or has another format (COBS 3.1.5.1,
 * chapter 4); and, if there is no other fault, a counter value is in another currency than the amount. Without a code the kind
 * is unknown, and the details are not checked.
 */
export function requireTransaction(
  value: unknown,
  path = "",
  strange: "refused" | "passed over" = "refused",
): Transaction {
  const code = isObject(value) ? findTransactionCode(value.code) : undefined;
  const known = code === undefined && isObject(value) ? { ...value, details: null } : value;
  const faults: Fault[] = [];
  const read = readElement(code === undefined ? TREES.plain : treeOfCode(code), known, {
    path,
    faults,
    others: strange === "refused" ? "refused" : "strange ignored",
  });
  if (code === undefined || !isProven<TransactionJson>(read, faults)) throw new ContentRefusal(faults);
  requireOwnCurrency(read, path);
  return makeTransaction(read, code);
}

const COUNTER_CURRENCY = "details.amountDetails.counterValueAmount.amount.currency";

/** A converted amount is given in the currency of the account (COBS 3.1.5.1), as the amount itself is. */
function requireOwnCurrency({ amount, details }: TransactionJson, at: string): void {
  const counter = details?.amountDetails?.counterValueAmount?.amount;
  if (counter === undefined || counter.currency === amount.currency) return;
  const path = at === "" ? COUNTER_CURRENCY : `${at}.${COUNTER_CURRENCY}`;
  const message = `${path} is not the currency of the amount`;
  throw new ContentRefusal([{ code: "FIELD_INVALID", path, message }]);
}

function treeOf(family: TransactionFamily, directDebit = false): ElementNode {
  return growTree(TRANSACTION_ELEMENTS, (letters) => {
    const letter = letters[COLUMNS[family]];
    return letter === "D" && !directDebit ? "-" : letter;
  });
}

function treeOfCode(code: TransactionCode): ElementNode {
  return isDirectDebit(code) ? TREES.directDebit : TREES[familyOf(code)];
}

function makeTransaction(json: TransactionJson, code: TransactionCode): Transaction {
  const { direction, status, bookingDate, valueDate } = json;
  return {
    entryReference: json.entryReference ?? null,
    amount: parseAmount(json.amount),
    direction,
    isReversal: json.isReversal ?? false,
    status,
    bookingDate,
    valueDate,
    code,
    details: json.details ?? null,
  };
}
