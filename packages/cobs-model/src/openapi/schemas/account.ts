import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { PAGE_MEMBERS } from "./page.ts";
import { closedObject, maxText } from "./texts.ts";

const identification = closedObject(
  {
    iban: schemaOf("Iban"),
    other: {
      ...maxText(35, "Number of the account as the country writes it, without the bank code.", "2000000018"),
      type: ["string", "null"],
    },
  },
  { description: "What identifies the account." },
);

const servicer = closedObject(
  {
    bankCode: {
      type: ["string", "null"],
      maxLength: 20,
      description: "Code of the bank.",
      examples: ["9900"],
    },
    countryCode: {
      type: ["string", "null"],
      pattern: "^[A-Z]{2}$",
      description: "Country of the bank (ISO 3166 alpha-2).",
      examples: ["CZ"],
    },
    bic: { type: ["string", "null"], maxLength: 35, description: "BIC of the bank.", examples: ["TESTCZPP"] },
  },
  { description: "The bank that keeps the account." },
);

/** Schemas of the list of accounts (COBS 3.1.3). */
export const ACCOUNT_SCHEMAS: Readonly<Record<string, Schema>> = {
  Account: closedObject(
    {
      id: {
        type: "string",
        description: "Key of the account in this interface. It never changes, and reveals nothing by itself.",
        examples: ["a3f5c0d2e1b49876"],
      },
      identification,
      currency: schemaOf("CurrencyCode"),
      servicer,
      nameI18N: {
        type: ["string", "null"],
        description: "Name of the account, in the language of the answer.",
        examples: ["Běžný účet"],
      },
      productI18N: {
        type: ["string", "null"],
        description: "Name of the product, in the language of the answer.",
        examples: ["Osobní konto"],
      },
    },
    {
      description:
        "A payment account that the PSU has consented to (COBS 3.1.3). Whatever the bank does not know is null.",
    },
  ),
  AccountList: closedObject(
    { ...PAGE_MEMBERS, accounts: { type: "array", items: schemaOf("Account"), maxItems: 100 } },
    { description: "A page of accounts (COBS 3.1.3)." },
  ),
};
