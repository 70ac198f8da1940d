import { type BankTerms, parseCurrencyCode, readPaymentOrder } from "@cobs/cobs-model";
import { put } from "../sample-transactions.ts";

/** A payment request under construction. */
export type Request = Record<string, unknown>;

/** Types of payment, by the names of the model. */
export const TYPES = ["domestic", "sepa", "inside-eea", "outside-eea"] as const;

/** A Monday in winter, ten o'clock in Prague. */
export const NOW = new Date("2024-02-05T09:00:00Z");

/** The terms of a bank with the code 9900. */
export const TERMS: BankTerms = {
  bankCode: "9900",
  currencies: ["CZK", "EUR", "USD", "JPY", "KWD"].map((code) => parseCurrencyCode(code)),
  priorities: {
    domestic: ["NORM", "HIGH", "INST"],
    sepa: ["NORM", "INST"],
    "inside-eea": ["NORM", "HIGH"],
    "outside-eea": ["NORM", "HIGH"],
  },
  maxDaysAhead: 365,
  cutOff: {
    domestic: { NORM: "17:00", HIGH: "14:00" },
    sepa: { NORM: "15:30", HIGH: "12:00" },
    "inside-eea": { NORM: "14:00", HIGH: "11:00" },
    "outside-eea": { NORM: "14:00", HIGH: "11:00" },
  },
};

/** Table: the examples of COBS chapter 5, completed with every other element that the type may have. */
const WHOLE: Readonly<Record<(typeof TYPES)[number], Request>> = {
  domestic: {
    paymentIdentification: { instructionIdentification: "TPP-2024-000001" },
    paymentTypeInformation: { instructionPriority: "NORM" },
    amount: { instructedAmount: { value: 1500.5, currency: "CZK" } },
    requestedExecutionDate: "2024-05-06",
    debtorAccount: { identification: { iban: "CZ3299000000002000000018" }, currency: "CZK" },
    creditorAccount: { identification: { iban: "CZ6508000000192000145399" }, currency: "CZK" },
    remittanceInformation: {
      unstructured: "Faktura 2024005",
      structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308", "SS:12"] } },
    },
    initiatingParty: { name: "Platby s.r.o.", postalAddress: "Hlavni 5, 110 00 Praha 1" },
  },
  sepa: {
    paymentIdentification: {
      instructionIdentification: "TPP-2024-000002",
      endToEndIdentification: "NOTPROVIDED",
    },
    paymentTypeInformation: { instructionPriority: "NORM" },
    amount: { instructedAmount: { value: 99.9, currency: "EUR" } },
    requestedExecutionDate: "2024-05-06",
    chargeBearer: "SLEV",
    ultimateDebtor: {
      name: "Karel Novak",
      postalAddress: {
        streetName: "Dlouha",
        buildingNumber: "12",
        postCode: "110 00",
        townName: "Praha",
        country: "CZ",
      },
      identification: {
        privateIdentification: {
          other: {
            identification: "1245789528",
            schemeName: { proprietary: "ID CARD" },
            issuer: "OU Praha 2",
          },
        },
      },
    },
    debtorAccount: { identification: { iban: "CZ7199000000192000000034" }, currency: "EUR" },
    creditorAgent: { financialInstitutionIdentification: { bic: "TESTATWW" } },
    creditor: {
      name: "Beispiel GmbH",
      postalAddress: { country: "AT", addressLine: ["Musterweg 1", "1030 Wien"] },
    },
    creditorAccount: { identification: { iban: "AT611904300234573201" } },
    ultimateCreditor: {
      name: "Muster AG",
      postalAddress: { country: "DE", addressLine: ["Weg 2"] },
      identification: {
        organisationIdentification: {
          bicOrBei: "TESTDEFF",
          other: { identification: "HRB 1", schemeName: { proprietary: "REGISTER" }, issuer: "Berlin" },
        },
      },
    },
    remittanceInformation: { unstructured: "Rechnung 77" },
  },
  "inside-eea": {
    paymentIdentification: { instructionIdentification: "TPP-2024-000003" },
    paymentTypeInformation: { instructionPriority: "HIGH" },
    amount: { instructedAmount: { value: 500, currency: "USD" } },
    requestedExecutionDate: "2024-05-06",
    chargeBearer: "SHAR",
    debtorAccount: { identification: { iban: "CZ3299000000002000000018" }, currency: "USD" },
    creditorAgent: { financialInstitutionIdentification: { bic: "TESTDEFF" } },
    creditor: {
      name: "Muster AG",
      postalAddress: { country: "DE", addressLine: ["Weg 2", "10115 Berlin"] },
    },
    creditorAccount: { identification: { iban: "DE89370400440532013000" } },
    remittanceInformation: { unstructured: "/VS/7418529630/SS/1234567890" },
  },
  "outside-eea": {
    paymentIdentification: { instructionIdentification: "TPP-2024-000004" },
    paymentTypeInformation: { instructionPriority: "NORM" },
    amount: { instructedAmount: { value: 1245.44, currency: "USD" } },
    requestedExecutionDate: "2024-05-06",
    chargeBearer: "DEBT",
    debtorAccount: { identification: { iban: "CZ3299000000002000000018" }, currency: "USD" },
    creditorAgent: {
      financialInstitutionIdentification: {
        bic: "TESTUS33",
        clearingSystemMemberIdentification: {
          clearingSystemIdentification: { code: "USABA" },
          memberIdentification: "021000021",
        },
        name: "Sample Commercial Bank",
        postalAddress: {
          streetName: "Wall St",
          buildingNumber: "1",
          postCode: "10005",
          townName: "New York",
          country: "US",
        },
        other: { identification: "BR-7" },
      },
    },
    creditor: {
      name: "Sample Boat Inc.",
      postalAddress: { country: "US", addressLine: ["1256 Grand St", "Brooklyn NY 11211"] },
    },
    creditorAccount: { identification: { other: { identification: "123456789" } } },
    remittanceInformation: { unstructured: "Invoice 5" },
  },
};

/** A request with every element that its type may have. */
export function wholePayment(type: (typeof TYPES)[number]): Request {
  return structuredClone(WHOLE[type]);
}

/** A whole request with another value for one element; undefined removes it. */
export function changedPayment(type: (typeof TYPES)[number], path: string, value: unknown): Request {
  const request = wholePayment(type);
  put(request, path, value);
  return request;
}

/** Faults of a request, as `CODE path`. */
export function faultsOf(body: unknown, now = NOW): readonly string[] {
  return readPaymentOrder(body, TERMS, now).faults.map(({ code, path }) => `${code} ${path}`);
}

/** The order in a request; throws if it has faults. */
export function orderOf(body: unknown, now = NOW): NonNullable<ReturnType<typeof readPaymentOrder>["order"]> {
  const { order, faults } = readPaymentOrder(body, TERMS, now);
  if (order === undefined) throw new Error(JSON.stringify(faults));
  return order;
}
