import { INSTRUCTION_PRIORITIES } from "../../payment/payment-order.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { type PaymentMessage, passingObject, paymentBlocks, paymentElements } from "./payment-elements.ts";
import { closedObject, maxIdentification, maxText, neededIdentification } from "./texts.ts";

const TRANSACTION_IDENTIFICATION = maxText(
  35,
  "Id that the bank gave the payment: `paymentId` in all later calls.",
  "51b2c7d80f3e4a6c9b1d2e3f4a5b6c7d",
);
const INSTRUCTION_IDENTIFICATION = neededIdentification(
  35,
  "Your own id for the payment. No two of your payments may have the same.",
  "TPP-2024-000001",
);
const END_TO_END = maxIdentification(
  35,
  "Reference that payer and payee use for the payment; `NOTPROVIDED` if there is none. SEPA payments only, and required there.",
  "NOTPROVIDED",
);
const PRIORITY: Schema = {
  type: "string",
  enum: INSTRUCTION_PRIORITIES,
  default: "NORM",
  description:
    "Urgency of the payment (COBS 4.24.1). Which values are available depends on the bank and the type of payment.",
};

const serviceLevel = closedObject(
  {
    code: {
      type: "string",
      enum: ["DMCT", "ESCT", "EXCT", "NXCT"],
      description:
        "`DMCT` domestic; `ESCT` SEPA; `EXCT` foreign, inside the EEA; `NXCT` foreign, outside the EEA (COBS 4.24).",
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
    description: "With `ACWC`: the payment will be executed on a day other than the one requested.",
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
        {
          optional: ["name", "postalAddress"],
          description: "You, the TPP. Stored, but not returned (A-59).",
        },
      ),
    },
    {
      optional: ["paymentTypeInformation", "initiatingParty", ...OPTIONAL],
      description:
        "A payment order. Its type follows from payee and currency: crowns to Czechia and anything inside the bank are domestic, euros within SEPA are SEPA, and the rest is foreign, inside or outside the EEA (A-60). Elements that the type does not use are ignored, except `chargeBearer`.",
    },
  ),
  InstructedAmount: passingObject(
    {
      value: {
        type: "number",
        minimum: 0.01,
        description:
          "At most two decimals, and no more than the currency has. At most 1,000,000,000,000.00 domestic, 999,999,999.99 SEPA, 999,999,999,999,999.99 foreign (COBS 3.2.4.1).",
        examples: [1500.5],
      },
      currency: schemaOf("CurrencyCode"),
    },
    { description: "The amount that the payee receives." },
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
        "A payment as it was accepted: the order in the characters in which it is sent, with the defaults of the bank and without ignored elements, and its status (COBS 3.2.4.2, 3.2.6).",
    },
  ),
  PaymentStatus: closedObject(STATUS, {
    optional: ["statusChangeInfo"],
    description: "The status of a payment (COBS 3.2.5).",
  }),
};
