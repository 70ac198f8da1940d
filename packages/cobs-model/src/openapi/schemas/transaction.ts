import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { PAGE_MEMBERS } from "./page.ts";
import { closedObject, maxText } from "./texts.ts";
import { TRANSACTION_DETAILS } from "./transaction-details.ts";

const dateObject = (description: string): Schema =>
  closedObject({ date: schemaOf("DayOrMoment") }, { description });

const bankTransactionCode = closedObject(
  {
    proprietary: closedObject({
      code: {
        type: "string",
        pattern: "^[0-9]{11}$",
        maxLength: 35,
        description:
          "Kind of the transaction, eleven digits of the list of the Czech Banking Association (COBS 4.3); banks may use other last digits. Its first digit tells payments (1), cash (2), cards (3), charges (4), returned direct debits (5) and others (9) apart.",
        examples: ["10000107000"],
      },
      issuer: { type: "string", const: "CBA", maxLength: 35, description: "Whose list it is." },
    }),
  },
  { description: "What kind of transaction it is." },
);

/** Schemas of the history (COBS 3.1.5). */
export const TRANSACTION_SCHEMAS: Readonly<Record<string, Schema>> = {
  TransactionDetails: TRANSACTION_DETAILS,
  Transaction: closedObject(
    {
      entryReference: maxText(35, "Number of the transaction, given by the bank.", "T-000000101"),
      amount: schemaOf("Amount"),
      creditDebitIndicator: schemaOf("CreditDebitIndicator"),
      reversalIndicator: {
        type: "boolean",
        description: "True for a transaction that cancels an earlier one.",
      },
      status: {
        type: "string",
        enum: ["BOOK", "PDNG"],
        description: "`BOOK` posted; `PDNG` blocked and not posted yet.",
      },
      bookingDate: dateObject(
        "When it was posted, or blocked. A moment at card and cash transactions, else a day.",
      ),
      valueDate: dateObject("From when it counts."),
      bankTransactionCode,
      entryDetails: closedObject(
        { transactionDetails: schemaOf("TransactionDetails") },
        { description: "There at domestic, SEPA and foreign payments, else where the bank knows more." },
      ),
    },
    {
      description:
        "One transaction, in the currency of the account (COBS 3.1.5.1). Kinds differ in what they have: interest, cash and card transactions; fees; domestic, SEPA and foreign payments.",
      optional: ["entryReference", "entryDetails"],
    },
  ),
  TransactionList: closedObject(
    { ...PAGE_MEMBERS, transactions: { type: "array", items: schemaOf("Transaction"), maxItems: 100 } },
    { description: "A page of the history (COBS 3.1.5)." },
  ),
};
