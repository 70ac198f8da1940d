import { BALANCE_TYPES } from "../../balance.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { closedObject } from "./texts.ts";

const type = closedObject(
  {
    codeOrProprietary: closedObject({
      code: {
        type: "string",
        enum: BALANCE_TYPES,
        description:
          "`CLAV` what the PSU can spend now; `ITBD` what is booked now; `PRCD` what was booked when the last day closed; `CLBD` what is booked at the end of the day (COBS 3.1.4).",
      },
    }),
  },
  { description: "Which balance this is." },
);

const creditLine = closedObject(
  {
    included: { type: "boolean", description: "Whether the balance contains the overdraft." },
    amount: schemaOf("Amount"),
  },
  { description: "The agreed overdraft; absent if there is none." },
);

/** Schemas of the balances (COBS 3.1.4). */
export const BALANCE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Balance: closedObject(
    {
      type,
      creditLine,
      amount: schemaOf("Amount"),
      creditDebitIndicator: schemaOf("CreditDebitIndicator"),
      date: closedObject(
        { dateTime: schemaOf("DayOrMoment") },
        { description: "When the account had this balance, as a moment or a day." },
      ),
    },
    { description: "One balance of the account in one currency (COBS 3.1.4).", optional: ["creditLine"] },
  ),
  Balances: closedObject(
    { balances: { type: "array", items: schemaOf("Balance") } },
    { description: "The balances of an account, those in its main currency first (COBS 3.1.4)." },
  ),
};
