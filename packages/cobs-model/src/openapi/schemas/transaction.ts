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
          "Kind of transaction: eleven digits from the list of the Czech Banking Association (COBS 4.3); banks may use other last digits. The first digit is 1 for payments, 2 for cash, 3 for cards, 4 for charges, 5 for returned direct debits, and 9 for others.",
        examples: ["10000107000"],
      },
      issuer: { type: "string", const: "CBA", maxLength: 35, description: "Publisher of the list." },
    }),
  },
  { description: "What kind of transaction it is." },
);

/** Schemas of the history (COBS 3.1.5). */
export const TRANSACTION_SCHEMAS: Readonly<Record<string, Schema>> = {
  TransactionDetails: TRANSACTION_DETAILS,
  Transaction: closedObject(
    {
      entryReference: maxText(35, "Number that the bank gave the transaction.", "T-000000101"),
      amount: schemaOf("Amount"),
      creditDebitIndicator: schemaOf("CreditDebitIndicator"),
      reversalIndicator: {
        type: "boolean",
        description: "True for a transaction that cancels an earlier one.",
      },
      status: {
        type: "string",
        enum: ["BOOK", "PDNG"],
        description: "`BOOK` posted; `PDNG` blocked, not yet posted.",
      },
      bookingDate: dateObject(
        "When the transaction was posted or blocked: a moment for card and cash transactions, otherwise a day.",
      ),
      valueDate: dateObject("When the transaction takes effect."),
      bankTransactionCode,
      entryDetails: closedObject(
        { transactionDetails: schemaOf("TransactionDetails") },
        {
          description:
            "Present in domestic, SEPA and foreign payments, and in others if the bank knows more.",
        },
      ),
    },
    {
      description:
        "One transaction, in the currency of the account (COBS 3.1.5.1). Its elements depend on its kind: interest, cash and card transactions; fees; domestic, SEPA and foreign payments.",
      optional: ["entryReference", "entryDetails"],
    },
  ),
  TransactionList: closedObject(
    { ...PAGE_MEMBERS, transactions: { type: "array", items: schemaOf("Transaction"), maxItems: 100 } },
    { description: "A page of the history (COBS 3.1.5)." },
  ),
};
