import { INSTRUCTION_PRIORITIES } from "../../payment/payment-order.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { type PaymentMessage, passingObject, paymentBlocks, paymentElements } from "./payment-elements.ts";
import { closedObject, maxIdentification, maxText, neededIdentification } from "./texts.ts";

const TRANSACTION_IDENTIFICATION = maxText(
  35,
  "Id of the payment that the bank gave: `paymentId` of all later calls.",
  "51b2c7d80f3e4a6c9b1d2e3f4a5b6c7d",
);
const INSTRUCTION_IDENTIFICATION = neededIdentification(
  35,
  "Your own id of the payment. It is yours once: no two of your payments have the same.",
  "TPP-2024-000001",
);
const END_TO_END = maxIdentification(
  35,
  "What payer and payee call the payment; `NOTPROVIDED` where they call it nothing. SEPA only, and there always.",
  "NOTPROVIDED",
);
const PRIORITY: Schema = {
  type: "string",
  enum: INSTRUCTION_PRIORITIES,
  default: "NORM",
  description: "How urgent it is (COBS 4.24.1). Which of them there are depends on the bank and the type.",
};

const serviceLevel = closedObject(
  {
    code: {
      type: "string",
      enum: ["DMCT", "ESCT", "EXCT", "NXCT"],
      description: "Domestic, SEPA, foreign inside the EEA, foreign outside of it (COBS 4.24).",
    },
  },
  { description: "The type of the payment, which the bank derives (A-60)." },
);

const STATUS: Readonly<Record<string, Schema>> = {
  instructionStatus: {
    type: "string",
    enum: ["ACTC", "ACWC", "ACSP", "ACSC", "RJCT"],
    description:
      "`ACTC` entered; `ACWC` entered with a change, see `statusChangeInfo`; `ACSP` approved by the PSU; `ACSC` executed; `RJCT` refused, expired or not executed. The last two are final (COBS 3.2.5).",
  },
  statusChangeInfo: {
    type: "string",
    const: "TM01",
    description: "With `ACWC`: it will be executed on another day than was asked for.",
  },
};

const ORDER: PaymentMessage = { name: "PaymentOrder", make: passingObject };
const PAYMENT: PaymentMessage = { name: "Payment", make: closedObject };
const ordered = paymentElements(ORDER);
const accepted = paymentElements(PAYMENT);
const OPTIONAL = Object.keys(accepted).filter((name) => !/^(debtor|creditor)Account$/.test(name));

/** Schemas of payments (COBS 3.2.4 to 3.2.6). */
export const PAYMENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  ...paymentBlocks(ORDER),
  ...paymentBlocks(PAYMENT),
  PaymentOrder: passingObject(
    {
      paymentIdentification: passingObject(
        { instructionIdentification: INSTRUCTION_IDENTIFICATION, endToEndIdentification: END_TO_END },
        { optional: ["endToEndIdentification"] },
      ),
      paymentTypeInformation: passingObject(
        { instructionPriority: PRIORITY },
        { optional: ["instructionPriority"] },
      ),
      amount: passingObject({ instructedAmount: schemaOf("InstructedAmount") }),
      ...ordered,
      initiatingParty: passingObject(
        { name: maxText(70, "Your name."), postalAddress: maxText(70, "Your address.") },
        { optional: ["name", "postalAddress"], description: "You; kept and not told again (A-59)." },
      ),
    },
    {
      optional: ["paymentTypeInformation", "initiatingParty", ...OPTIONAL],
      description:
        "An order to pay. What kind of payment it is follows from payee and currency: crowns to Czechia and anything inside the bank are domestic, euros within SEPA are SEPA, the rest is foreign inside or outside the EEA (A-60). Elements that the type does not use are passed over, but for `chargeBearer`.",
    },
  ),
  InstructedAmount: passingObject(
    {
      value: {
        type: "number",
        minimum: 0.01,
        description:
          "At most two decimals, and as many as the currency has. At most 1,000,000,000,000.00 domestic, 999,999,999.99 SEPA, 999,999,999,999,999.99 foreign (COBS 3.2.4.1).",
        examples: [1500.5],
      },
      currency: schemaOf("CurrencyCode"),
    },
    { description: "What the payee gets." },
  ),
  Payment: closedObject(
    {
      transactionIdentification: TRANSACTION_IDENTIFICATION,
      serviceLevel,
      paymentIdentification: closedObject(
        {
          instructionIdentification: INSTRUCTION_IDENTIFICATION,
          endToEndIdentification: END_TO_END,
          transactionIdentification: TRANSACTION_IDENTIFICATION,
        },
        { optional: ["endToEndIdentification"] },
      ),
      paymentTypeInformation: closedObject({ instructionPriority: PRIORITY, serviceLevel }),
      amount: closedObject({ instructedAmount: schemaOf("Amount") }),
      ...accepted,
      signInfo: schemaOf("SignInfo"),
      ...STATUS,
    },
    {
      optional: [...OPTIONAL, "statusChangeInfo"],
      description:
        "A payment as it was accepted: what was ordered, in the characters in which it is sent, with the defaults of the bank and without what was passed over, and how far it is (COBS 3.2.4.2, 3.2.6).",
    },
  ),
  PaymentStatus: closedObject(STATUS, {
    optional: ["statusChangeInfo"],
    description: "How far a payment is (COBS 3.2.5).",
  }),
};
