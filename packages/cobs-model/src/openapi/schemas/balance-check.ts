import { AUTHENTICATION_METHODS, MERCHANT_TYPES } from "../../payment/balance-check-elements.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { passingObject } from "./payment-elements.ts";
import { closedObject, maxText, neededIdentification, neededText } from "./texts.ts";

const EXCHANGE: Schema = {
  // JavaScript cannot write the largest integer of 18 digits.
  if: { type: "integer", minimum: 0, exclusiveMaximum: 1_000_000_000_000_000_000 },
  else: neededIdentification(18, "The id as text."),
  description:
    "Your own id for the question, of at most 18 characters, as text or as a non-negative integer. It is returned unchanged (A-74), and can be used again after 24 hours.",
  examples: ["123456789"],
};

const card = passingObject(
  {
    cardholderName: maxText(45, "Name on the card; `cardHolderName` is accepted too (A-75).", "Jan Novak"),
    maskedPan: {
      type: "string",
      minLength: 1,
      maxLength: 30,
      pattern: "^([* ]*[0-9]){0,12}[* ]*$",
      description:
        "Number of the card, with `*` or spaces for hidden digits and at most 12 digits shown; `maskedPAN` is accepted too (A-75).",
      examples: ["1234********6789"],
    },
  },
  { optional: ["cardholderName"], description: "The card used to pay." },
);

const merchant = passingObject(
  {
    identification: neededIdentification(35, "Registration number of the shop.", "12345678"),
    type: {
      type: "string",
      enum: MERCHANT_TYPES,
      description: "Kind of shop (COBS 4.22.2).",
    },
    shortName: neededText(35, "Name of the shop.", "KNIHY"),
    commonName: neededText(70, "Name of the shop on the receipt.", "Knihy s.r.o."),
    address: maxText(140, "Where the sale takes place, without the country.", "Hlavni 5, Praha 1"),
    countryCode: schemaOf("CountryCode"),
    merchantCategoryCode: {
      type: "string",
      pattern: "^[0-9]{3,4}$",
      description: "What the shop sells (ISO 18245).",
      examples: ["5192"],
    },
  },
  {
    optional: ["type", "address", "countryCode"],
    description: "The shop, if you are not the shop yourself.",
  },
);

/** Schemas of balance checks (COBS 3.2.3, 3.3.3). */
export const BALANCE_CHECK_SCHEMAS: Readonly<Record<string, Schema>> = {
  BalanceCheckQuestion: passingObject(
    {
      exchangeIdentification: EXCHANGE,
      card,
      debtorAccount: passingObject(
        { identification: passingObject({ iban: schemaOf("Iban") }), currency: schemaOf("CurrencyCode") },
        { optional: ["currency"], description: "The account that you ask about." },
      ),
      authenticationMethod: {
        type: "string",
        enum: AUTHENTICATION_METHODS,
        description: "How the cardholder was authenticated (COBS 4.2).",
      },
      merchant,
      transactionDetails: passingObject(
        {
          currency: schemaOf("CurrencyCode"),
          totalAmount: {
            type: "number",
            exclusiveMinimum: 0,
            description:
              "Above zero, with at most 18 digits and at most the decimals of the currency (A-76).",
            examples: [499.5],
          },
        },
        { description: "The amount that you ask about." },
      ),
    },
    {
      optional: ["card", "authenticationMethod", "merchant"],
      description:
        "Asks whether this amount is available in the account. Members that are not named are ignored.",
    },
  ),
  BalanceCheck: closedObject(
    {
      responseIdentification: {
        type: "integer",
        format: "int64",
        minimum: 1,
        description:
          "Id of the answer, of at most 18 digits: more than a binary floating-point number can hold. It reveals nothing about other questions.",
        examples: [402735918264],
      },
      exchangeIdentification: EXCHANGE,
      response: {
        type: "string",
        enum: ["APPR", "DECL"],
        description: "`APPR` the amount is available; `DECL` it is not. Nothing is blocked.",
      },
    },
    { description: "Whether the amount is available, without a figure (COBS 3.3.3.2)." },
  ),
};
