import { AUTHENTICATION_METHODS, MERCHANT_TYPES } from "../../payment/balance-check-elements.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { passingObject } from "./payment-elements.ts";
import { closedObject, maxText, neededIdentification, neededText } from "./texts.ts";

const EXCHANGE: Schema = {
  // JavaScript cannot write the largest integer of 18 digits.
  if: { type: "integer", minimum: 0, exclusiveMaximum: 1_000_000_000_000_000_000 },
  else: neededIdentification(18, "As text."),
  description:
    "Your own id of the question, of at most 18 characters, as text or as an integer that is not negative. It comes back as it came (A-74), and can be used again after 24 hours.",
  examples: ["123456789"],
};

const card = passingObject(
  {
    cardholderName: maxText(45, "The name on the card; `cardHolderName` is read too (A-75).", "Jan Novak"),
    maskedPan: {
      type: "string",
      minLength: 1,
      maxLength: 30,
      pattern: "^([* ]*[0-9]){0,12}[* ]*$",
      description:
        "Its number with `*` or spaces for what is not told, at most 12 digits of it; `maskedPAN` is read too (A-75).",
      examples: ["1234********6789"],
    },
  },
  { optional: ["cardholderName"], description: "The card that is paid with." },
);

const merchant = passingObject(
  {
    identification: neededIdentification(35, "Registration number of the shop.", "12345678"),
    type: {
      type: "string",
      enum: MERCHANT_TYPES,
      description: "What it is (COBS 4.22.2).",
    },
    shortName: neededText(35, "Its name.", "KNIHY"),
    commonName: neededText(70, "Its name on the receipt.", "Knihy s.r.o."),
    address: maxText(140, "Where the sale is, without the country.", "Hlavni 5, Praha 1"),
    countryCode: schemaOf("CountryCode"),
    merchantCategoryCode: {
      type: "string",
      pattern: "^[0-9]{3,4}$",
      description: "What it sells (ISO 18245).",
      examples: ["5192"],
    },
  },
  { optional: ["type", "address", "countryCode"], description: "The shop, where you are not the shop." },
);

/** Schemas of balance checks (COBS 3.2.3, 3.3.3). */
export const BALANCE_CHECK_SCHEMAS: Readonly<Record<string, Schema>> = {
  BalanceCheckQuestion: passingObject(
    {
      exchangeIdentification: EXCHANGE,
      card,
      debtorAccount: passingObject(
        { identification: passingObject({ iban: schemaOf("Iban") }), currency: schemaOf("CurrencyCode") },
        { optional: ["currency"], description: "The account that is asked about." },
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
              "Above zero, with at most 18 digits and as many decimals as the currency has (A-76).",
            examples: [499.5],
          },
        },
        { description: "The amount that is asked about." },
      ),
    },
    {
      optional: ["card", "authenticationMethod", "merchant"],
      description: "Is this amount available in the account? Members that are not named are passed over.",
    },
  ),
  BalanceCheck: closedObject(
    {
      responseIdentification: {
        type: "integer",
        format: "int64",
        minimum: 1,
        description:
          "Id of the answer, of at most 18 digits: more than a binary floating point number keeps. It tells nothing of other questions.",
        examples: [402735918264],
      },
      exchangeIdentification: EXCHANGE,
      response: {
        type: "string",
        enum: ["APPR", "DECL"],
        description: "`APPR` there is enough; `DECL` there is not. Nothing is blocked.",
      },
    },
    { description: "Yes or no, and no figure (COBS 3.3.3.2)." },
  ),
};
