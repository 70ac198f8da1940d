/** The building blocks of a transaction (COBS 3.1.5.1): addresses, identifications, accounts and banks. */
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { closedObject, maxText, openEnded } from "./texts.ts";

const codeOr = (code: Schema): Schema => ({
  oneOf: [closedObject({ code }), closedObject({ proprietary: maxText(35, "A name of the bank's own.") })],
});

/** Either a code or a text of at most 35 characters. */
export const CODE_OR_PROPRIETARY = codeOr({ type: "string", description: "A code of an ISO 20022 list." });

/** Schemas of the parties to a transaction. */
export const PARTY_SCHEMAS: Readonly<Record<string, Schema>> = {
  PostalAddress: openEnded(
    {
      streetName: maxText(70, "Street."),
      buildingNumber: maxText(16, "Number of the building."),
      postCode: maxText(16, "Postcode."),
      townName: maxText(35, "Town."),
      country: schemaOf("CountryCode"),
      addressLine: {
        type: "array",
        items: maxText(70, "A line.", "Hauptstrasse 1"),
        maxItems: 7,
        description: "The address in lines: first street and number, then town and postcode.",
      },
    },
    "An address, in parts or in lines (COBS 4.10.1.4).",
  ),
  OtherIdentification: openEnded(
    {
      identification: maxText(35, "The identification."),
      schemeName: CODE_OR_PROPRIETARY,
      issuer: maxText(35, "Who gave it."),
    },
    "An identification under a scheme.",
  ),
  PartyIdentification: {
    description: "Who a party is, as an organisation or as a person (COBS 4.13). SEPA payments only.",
    oneOf: [
      closedObject({
        organisationIdentification: openEnded({
          bicOrBei: schemaOf("Bic"),
          other: { type: "array", items: schemaOf("OtherIdentification") },
        }),
      }),
      closedObject({
        privateIdentification: openEnded({
          other: { type: "array", items: schemaOf("OtherIdentification") },
        }),
      }),
    ],
  },
  Party: openEnded(
    {
      name: maxText(70, "Name of the party.", "Jan Novák"),
      postalAddress: schemaOf("PostalAddress"),
      identification: schemaOf("PartyIdentification"),
    },
    "A party to the payment.",
  ),
  PartyAccount: closedObject(
    {
      identification: {
        description: "An IBAN, or a number under which the bank of the party knows the account.",
        oneOf: [
          closedObject({ iban: schemaOf("Iban") }),
          closedObject({
            other: closedObject({ identification: maxText(34, "Number of the account.", "19-2000000034") }),
          }),
        ],
      },
      currency: schemaOf("CurrencyCode"),
      name: maxText(70, "Name of the account."),
    },
    { description: "The account of a party (COBS 4.9).", optional: ["currency", "name"] },
  ),
  Agent: closedObject(
    {
      financialInstitutionIdentification: openEnded({
        bic: schemaOf("Bic"),
        clearingSystemMemberIdentification: closedObject(
          {
            clearingSystemIdentification: CODE_OR_PROPRIETARY,
            memberIdentification: maxText(35, "Code of the bank in the clearing system."),
          },
          { optional: ["clearingSystemIdentification"], description: "Foreign payments only." },
        ),
        name: maxText(70, "Name of the bank."),
        postalAddress: schemaOf("PostalAddress"),
        other: closedObject({ identification: maxText(35, "Czech code of the bank.", "9900") }),
      }),
    },
    { description: "The bank of a party (COBS 4.10)." },
  ),
};
