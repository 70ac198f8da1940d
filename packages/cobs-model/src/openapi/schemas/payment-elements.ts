/** The building blocks of a payment (COBS 3.2.4.1, 4.x), for the request and for the answer. */
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { SYMBOLS } from "./symbols.ts";
import { anyMember, closedObject, eitherMember, maxText, type ObjectMaker } from "./texts.ts";

/** An object of a request: members that are not named are passed over. */
export const passingObject: ObjectMaker = (properties, more) => {
  const { additionalProperties: _, ...schema } = closedObject(properties, more);
  return schema;
};

/** The elements that a request has and an answer repeats, in objects of one kind; `amount` and what the bank adds is not among them. */
export function paymentElements(make: ObjectMaker): Readonly<Record<string, Schema>> {
  return {
    requestedExecutionDate: {
      ...schemaOf("Day"),
      description:
        "When it is to be executed; left out, as soon as it can be. In the answer it is the day on which the bank will do it, where that is another one.",
    },
    chargeBearer: {
      type: "string",
      enum: ["DEBT", "CRED", "SHAR", "SLEV"],
      description:
        "Who bears the charges (COBS 4.6). Domestic: never sent. SEPA: `SLEV`. Inside the EEA: `DEBT` or `SHAR`; outside also `CRED`. Without it, `SLEV` at SEPA and `SHAR` at foreign payments.",
    },
    ultimateDebtor: ultimateParty(make, "On whose behalf is paid. SEPA only."),
    debtorAccount: make(
      { identification: make({ iban: schemaOf("Iban") }), currency: schemaOf("CurrencyCode") },
      { optional: ["currency"], description: "Which account of the PSU pays." },
    ),
    creditorAgent: creditorAgent(make),
    creditor: make(
      { name: maxText(70, "Name of the payee.", "Muster AG"), postalAddress: address(make) },
      {
        optional: ["postalAddress"],
        description: "Who is paid. SEPA and foreign payments; outside the EEA with an address.",
      },
    ),
    creditorAccount: creditorAccount(make),
    ultimateCreditor: ultimateParty(make, "Who gets the money in the end. SEPA only."),
    remittanceInformation: remittance(make),
  };
}

function address(make: ObjectMaker): Schema {
  const parts = {
    streetName: maxText(70, "Street."),
    buildingNumber: maxText(16, "Number of the building."),
    postCode: maxText(16, "Postcode."),
    townName: maxText(35, "Town."),
    country: schemaOf("CountryCode"),
    addressLine: { type: "array", items: maxText(70, "A line.", "Hauptstrasse 1"), maxItems: 2 },
  } as const;
  return make(parts, { optional: Object.keys(parts), description: "An address (COBS 4.10.1.4)." });
}

function ultimateParty(make: ObjectMaker, description: string): Schema {
  const members = {
    name: maxText(70, "Name.", "Karel Novak"),
    postalAddress: address(make),
    identification: identification(make),
  };
  return make(members, { optional: Object.keys(members), description });
}

/** In a payment `other` is one object. */
function identification(make: ObjectMaker): Schema {
  const other = make(
    {
      identification: maxText(35, "The identification.", "1245789528"),
      schemeName: make({ proprietary: maxText(35, "Its kind.", "ID CARD") }),
      issuer: maxText(35, "Who gave it.", "OU Praha 2"),
    },
    { optional: ["schemeName", "issuer"] },
  );
  const organisation = make({ bicOrBei: schemaOf("Bic"), other }, { optional: ["bicOrBei", "other"] });
  return eitherMember(
    make,
    [
      ["organisationIdentification", organisation],
      ["privateIdentification", make({ other }, { optional: ["other"] })],
    ],
    "Who it is, as an organisation or as a person (COBS 4.13).",
  );
}

function creditorAgent(make: ObjectMaker): Schema {
  const institution = {
    bic: schemaOf("Bic"),
    clearingSystemMemberIdentification: make(
      {
        clearingSystemIdentification: eitherMember(make, [
          ["code", maxText(5, "The system, of the list of ISO 20022.", "USABA")],
          ["proprietary", maxText(35, "The system, by another name.")],
        ]),
        memberIdentification: maxText(35, "Code of the bank in the system.", "021000021"),
      },
      { optional: ["clearingSystemIdentification"] },
    ),
    name: maxText(105, "Name of the bank.", "Sample Commercial Bank"),
    postalAddress: address(make),
    other: make(
      { identification: maxText(35, "A local code of the bank.") },
      { optional: ["identification"] },
    ),
  };
  return make(
    { financialInstitutionIdentification: make(institution, { optional: Object.keys(institution) }) },
    {
      description:
        "The bank of the payee (COBS 4.10). SEPA and inside the EEA: `bic`. Outside the EEA: anything that names it.",
    },
  );
}

function creditorAccount(make: ObjectMaker): Schema {
  const other = make({ identification: maxText(34, "Number of the account.", "123456789") });
  return make(
    {
      identification: anyMember(make, [
        ["iban", schemaOf("Iban")],
        ["other", other],
      ]),
      currency: schemaOf("CurrencyCode"),
    },
    {
      optional: ["currency"],
      description: "The account of the payee: an IBAN, or in a foreign payment another number (A-52).",
    },
  );
}

function remittance(make: ObjectMaker): Schema {
  return make(
    {
      unstructured: maxText(
        140,
        "Message for the payee; it may begin with symbols (COBS 4.27).",
        "Faktura 2024005",
      ),
      structured: make(
        { creditorReferenceInformation: make({ reference: SYMBOLS }, { optional: ["reference"] }) },
        {
          optional: ["creditorReferenceInformation"],
          description: "Variable, constant and specific symbol. Domestic only.",
        },
      ),
    },
    { optional: ["unstructured", "structured"], description: "What the payment is for." },
  );
}
