import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { SYMBOLS } from "./symbols.ts";
import { closedObject, maxText, openEnded } from "./texts.ts";

const references = openEnded(
  {
    messageIdentification: maxText(35, "Name that the PSU gave the payment at initiation."),
    accountServicerReference: maxText(35, "Reference of the bank."),
    paymentInformationIdentification: maxText(
      35,
      "Another reference of the bank; the number of the card in its series; or the specific symbol.",
    ),
    instructionIdentification: maxText(35, "Identification of the third party; or the constant symbol."),
    endToEndIdentification: maxText(
      35,
      "Name that the payer gave the payment, unchanged along the whole chain; or the variable symbol.",
      "NOTPROVIDED",
    ),
    mandateIdentification: maxText(35, "The mandate. SEPA direct debits only."),
    chequeNumber: maxText(35, "Number of a cheque; or the masked number of the card.", "xxxxxxxxxxxx1234"),
    clearingSystemReference: maxText(35, "The bank's code for the kind of payment; or the card scheme."),
  },
  "References of the payment.",
);

const currencyExchange = closedObject(
  {
    sourceCurrency: schemaOf("CurrencyCode"),
    targetCurrency: schemaOf("CurrencyCode"),
    exchangeRate: {
      type: "number",
      description: "One rate, even if two were used. A JSON number with all its digits.",
      examples: [25.125],
    },
  },
  { optional: ["targetCurrency"], description: "How the amount was converted from the account's currency." },
);

const amountDetails = openEnded(
  {
    instructedAmount: closedObject(
      { amount: schemaOf("Amount") },
      { description: "Amount and currency as ordered." },
    ),
    counterValueAmount: openEnded(
      { amount: schemaOf("Amount"), currencyExchange },
      "The amount in the currency of the account.",
    ),
  },
  "Further amounts of the payment.",
);

const relatedParties = openEnded(
  {
    debtor: schemaOf("Party"),
    debtorAccount: schemaOf("PartyAccount"),
    ultimateDebtor: schemaOf("Party"),
    creditor: schemaOf("Party"),
    creditorAccount: schemaOf("PartyAccount"),
    ultimateCreditor: schemaOf("Party"),
  },
  "Who paid, who was paid, and on whose behalf. Present in domestic, SEPA and foreign payments.",
);

const remittanceInformation = openEnded(
  {
    unstructured: maxText(140, "Message for the payee.", "Nájem květen"),
    structured: closedObject(
      {
        creditorReferenceInformation: closedObject({ reference: SYMBOLS }),
      },
      { description: "Variable, constant and specific symbol." },
    ),
  },
  "What the payment is for.",
);

/** Details of a transaction beyond its amount and days (COBS 4.14); which elements each kind has is in 3.1.5.1. */
export const TRANSACTION_DETAILS: Schema = openEnded(
  {
    references,
    amountDetails,
    charges: closedObject(
      {
        bearer: {
          type: "string",
          enum: ["OUR", "SHA", "BEN"],
          description:
            "Who bears the charges: `OUR` the payer; `SHA` each side its own; `BEN` the payee (COBS 4.6).",
        },
      },
      { description: "Foreign payments only." },
    ),
    relatedParties,
    relatedAgents: openEnded(
      { debtorAgent: schemaOf("Agent"), creditorAgent: schemaOf("Agent") },
      "The banks of the payer and of the payee. Present in domestic, SEPA and foreign payments.",
    ),
    purpose: { ...schemaOf("CodeOrProprietary"), description: "Purpose of a SEPA payment." },
    remittanceInformation,
    additionalTransactionInformation: maxText(500, "Text from the bank, in the language of the answer."),
  },
  "Details of the transaction.",
);
