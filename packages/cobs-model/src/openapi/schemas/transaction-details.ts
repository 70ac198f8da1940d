import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { SYMBOLS } from "./symbols.ts";
import { closedObject, maxText, openEnded } from "./texts.ts";

const references = openEnded(
  {
    messageIdentification: maxText(35, "What the PSU named the payment at initiation."),
    accountServicerReference: maxText(35, "Reference of the bank."),
    paymentInformationIdentification: maxText(
      35,
      "Further reference of the bank; number of the card in its series; or the specific symbol.",
    ),
    instructionIdentification: maxText(35, "Identification of the third party; or the constant symbol."),
    endToEndIdentification: maxText(
      35,
      "What the payer named the payment, unchanged through the whole chain; or the variable symbol.",
      "NOTPROVIDED",
    ),
    mandateIdentification: maxText(35, "The mandate, at SEPA direct debits only."),
    chequeNumber: maxText(35, "Number of a cheque; or of the card, masked.", "xxxxxxxxxxxx1234"),
    clearingSystemReference: maxText(35, "Code of the bank for the kind of payment; or the card scheme."),
  },
  "References of the payment.",
);

const currencyExchange = closedObject(
  {
    sourceCurrency: schemaOf("CurrencyCode"),
    targetCurrency: schemaOf("CurrencyCode"),
    exchangeRate: {
      type: "number",
      description: "One rate, also where two were used. A JSON number with all its digits.",
      examples: [25.125],
    },
  },
  { optional: ["targetCurrency"], description: "How the amount was converted: from the account's currency." },
);

const amountDetails = openEnded(
  {
    instructedAmount: closedObject(
      { amount: schemaOf("Amount") },
      { description: "Amount and currency as ordered." },
    ),
    counterValueAmount: openEnded(
      { amount: schemaOf("Amount"), currencyExchange },
      "What it came to in the currency of the account.",
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
  "Who paid, who was paid, and on whose behalf. There at domestic, SEPA and foreign payments.",
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
          description: "Who bears the charges: the payer, each side its own, the payee (COBS 4.6).",
        },
      },
      { description: "Foreign payments only." },
    ),
    relatedParties,
    relatedAgents: openEnded(
      { debtorAgent: schemaOf("Agent"), creditorAgent: schemaOf("Agent") },
      "The banks of the payer and of the payee. There at domestic, SEPA and foreign payments.",
    ),
    purpose: { ...schemaOf("CodeOrProprietary"), description: "Purpose of a SEPA payment." },
    remittanceInformation,
    additionalTransactionInformation: maxText(500, "Text of the bank, in the language of the answer."),
  },
  "Details of the transaction.",
);
