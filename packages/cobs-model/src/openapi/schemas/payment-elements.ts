/** The building blocks of a payment (COBS 3.2.4.1, 4.x), for the request and for the answer. */
import { CHARGE_BEARERS } from "../../payment/payment-order.ts";
import type { Schema } from "../openapi-document.ts";
import { schemaOf } from "../references.ts";
import { SYMBOLS } from "./symbols.ts";
import {
  anyMember,
  closedObject,
  eitherMember,
  maxIdentification,
  maxText,
  neededIdentification,
  neededText,
  type ObjectMaker,
} from "./texts.ts";

/** Makes an object of a request: members that are not named are ignored. */
export const passingObject: ObjectMaker = (properties, more) => {
  const { additionalProperties: _, ...schema } = closedObject(properties, more);
  return schema;
};

/** A message with these elements: how its objects are made, and the prefix of the names of its building blocks. */
export type PaymentMessage = { readonly name: "Payment" | "PaymentOrder"; readonly make: ObjectMaker };

/** Points to a building block of a message. */
function block({ name }: PaymentMessage, what: string, description?: string): Schema {
  return { ...schemaOf(`${name}${what}`), ...(description !== undefined && { description }) };
}

/**
 * Returns the elements that a request has and an answer repeats, in objects of one kind; without `amount` and what the bank
 * adds.
 */
export function paymentElements(message: PaymentMessage): Readonly<Record<string, Schema>> {
  return {
    requestedExecutionDate: {
      ...schemaOf("Day"),
      description:
        "Day on which the payment is to be executed; without it, as soon as possible. In the answer, the day on which the bank will execute it, if that is another day.",
    },
    chargeBearer: {
      type: "string",
      enum: CHARGE_BEARERS,
      description:
        "Who bears the charges (COBS 4.6). Domestic: must not be sent. SEPA: `SLEV`. Inside the EEA: `DEBT` or `SHAR`; outside also `CRED`. The default is `SLEV` for SEPA payments and `SHAR` for foreign ones.",
    },
    ultimateDebtor: block(message, "Party", "The party on whose behalf the payer pays. SEPA only."),
    debtorAccount: block(message, "DebtorAccount"),
    creditorAgent: block(message, "CreditorAgent"),
    creditor: block(message, "Creditor"),
    creditorAccount: block(message, "CreditorAccount"),
    ultimateCreditor: block(message, "Party", "The party that finally receives the money. SEPA only."),
    remittanceInformation: block(message, "RemittanceInformation"),
  };
}

/** Returns the building blocks of a message, each under the name that its class has in generated clients. */
export function paymentBlocks(message: PaymentMessage): Readonly<Record<string, Schema>> {
  const blocks = {
    Address: address(message),
    Party: ultimateParty(message),
    PartyIdentification: identification(message),
    OtherIdentification: otherIdentification(message),
    DebtorAccount: debtorAccount(message),
    CreditorAgent: creditorAgent(message),
    Institution: institution(message),
    ClearingSystemMember: clearingSystemMember(message),
    Creditor: creditor(message),
    CreditorAccount: creditorAccount(message),
    RemittanceInformation: remittance(message),
  };
  return Object.fromEntries(
    Object.entries(blocks).map(([what, schema]) => [`${message.name}${what}`, schema]),
  );
}

function address({ make }: PaymentMessage): Schema {
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

function ultimateParty(message: PaymentMessage): Schema {
  const members = {
    name: maxText(70, "Name.", "Karel Novak"),
    postalAddress: block(message, "Address"),
    identification: block(message, "PartyIdentification"),
  };
  return message.make(members, { optional: Object.keys(members), description: "A party to a SEPA payment." });
}

function identification(message: PaymentMessage): Schema {
  const { make } = message;
  const other = block(message, "OtherIdentification");
  const organisation = make({ bicOrBei: schemaOf("Bic"), other }, { optional: ["bicOrBei", "other"] });
  return eitherMember(
    make,
    [
      ["organisationIdentification", organisation],
      ["privateIdentification", make({ other }, { optional: ["other"] })],
    ],
    "Who the party is, as an organisation or as a person (COBS 4.13).",
  );
}

/** In a payment `other` is one object. */
function otherIdentification({ make }: PaymentMessage): Schema {
  return make(
    {
      identification: neededIdentification(35, "The identification.", "1245789528"),
      schemeName: make({ proprietary: neededText(35, "Kind of identification.", "ID CARD") }),
      issuer: maxText(35, "Issuer of the identification.", "OU Praha 2"),
    },
    { optional: ["schemeName", "issuer"] },
  );
}

function debtorAccount({ make }: PaymentMessage): Schema {
  return make(
    { identification: make({ iban: schemaOf("Iban") }), currency: schemaOf("CurrencyCode") },
    { optional: ["currency"], description: "The account of the PSU that pays." },
  );
}

function creditorAgent(message: PaymentMessage): Schema {
  return message.make(
    { financialInstitutionIdentification: block(message, "Institution") },
    {
      description:
        "The bank of the payee (COBS 4.10). SEPA and inside the EEA: `bic`. Outside the EEA: anything that identifies the bank.",
    },
  );
}

function institution(message: PaymentMessage): Schema {
  const members = {
    bic: schemaOf("Bic"),
    clearingSystemMemberIdentification: block(message, "ClearingSystemMember"),
    name: maxText(105, "Name of the bank.", "Sample Commercial Bank"),
    postalAddress: block(message, "Address"),
    other: message.make(
      { identification: maxIdentification(35, "Local code of the bank.") },
      { optional: ["identification"] },
    ),
  };
  return message.make(members, { optional: Object.keys(members) });
}

function clearingSystemMember({ make }: PaymentMessage): Schema {
  return make(
    {
      clearingSystemIdentification: eitherMember(make, [
        ["code", maxIdentification(5, "The clearing system, from the list of ISO 20022.", "USABA")],
        ["proprietary", maxText(35, "The clearing system, by another name.")],
      ]),
      memberIdentification: neededIdentification(35, "Code of the bank in the clearing system.", "021000021"),
    },
    { optional: ["clearingSystemIdentification"] },
  );
}

function creditor(message: PaymentMessage): Schema {
  return message.make(
    { name: neededText(70, "Name of the payee.", "Muster AG"), postalAddress: block(message, "Address") },
    {
      optional: ["postalAddress"],
      description: "The payee, in SEPA and foreign payments; outside the EEA with an address.",
    },
  );
}

function creditorAccount({ make }: PaymentMessage): Schema {
  const other = make({ identification: neededIdentification(34, "Number of the account.", "123456789") });
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
      description:
        "The payee's account: an IBAN of a country that has IBANs, in its form there (ISO 13616), or, in a foreign payment, another number, which is ignored beside an IBAN (A-52).",
    },
  );
}

function remittance({ make }: PaymentMessage): Schema {
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
