/** The building blocks of a transaction (COBS 3.1.5.1): addresses, identifications, accounts and banks. */
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { closedObject, eitherMember, maxText, openEnded } from "./texts.ts";

const OTHERS: Schema = { type: "array", items: schemaOf("OtherIdentification") };

/** Schemas of the parties to a transaction. */
export const PARTY_SCHEMAS: Readonly<Record<string, Schema>> = {
  CodeOrProprietary: eitherMember(
    closedObject,
    [
      ["code", { type: "string", description: "A code of an ISO 20022 list." }],
      ["proprietary", maxText(35, "A name of the bank's own.")],
    ],
    "Either a code or another text.",
  ),
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
      schemeName: schemaOf("CodeOrProprietary"),
      issuer: maxText(35, "Issuer of the identification."),
    },
    "An identification under a scheme.",
  ),
  PartyIdentification: eitherMember(
    closedObject,
    [
      ["organisationIdentification", openEnded({ bicOrBei: schemaOf("Bic"), other: OTHERS })],
      ["privateIdentification", openEnded({ other: OTHERS })],
    ],
    "Who a party is, as an organisation or as a person (COBS 4.13). SEPA payments only.",
  ),
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
      identification: eitherMember(
        closedObject,
        [
          ["iban", schemaOf("Iban")],
          ["other", closedObject({ identification: maxText(34, "Number of the account.", "19-2000000034") })],
        ],
        "An IBAN, or the number that the party's bank uses for the account.",
      ),
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
            clearingSystemIdentification: schemaOf("CodeOrProprietary"),
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
