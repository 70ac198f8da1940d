/** Table: one payment of each type, as ordered (COBS chapter 5) and as answered (R5, R7). */
import type { Example, Json } from "../openapi-document.ts";

/** The id of the payment in all examples. */
const PAYMENT_ID = "51b2c7d80f3e4a6c9b1d2e3f4a5b6c7d";
/** The id of its authorization. */
export const SIGN_ID = "7c1e5a903f2b4d68a0c9e1d2b3f4a5c6";

type Elements = { readonly [member: string]: Json };

const accountOf = (iban: string, currency?: string): Json => ({
  identification: { iban },
  ...(currency !== undefined && { currency }),
});
const amountOf = (value: number, currency: string) => ({ amount: { instructedAmount: { value, currency } } });
const OWN_ACCOUNT = { debtorAccount: accountOf("CZ3299000000002000000018") };
const bankOf = (identification: Json) => ({ financialInstitutionIdentification: identification });

/** A payment, as the common part of the request and the answer. */
type Sample = {
  readonly summary: string;
  readonly identifications: Elements;
  readonly priority: string | undefined;
  readonly elements: Elements;
  readonly serviceLevel: string;
  /** What the bank adds to the elements. */
  readonly defaults?: Elements;
};

const DOMESTIC: Sample = {
  summary: "domestic, with symbols",
  identifications: { instructionIdentification: "TPP-2024-000001" },
  priority: "NORM",
  elements: {
    ...amountOf(1500.5, "CZK"),
    debtorAccount: accountOf("CZ3299000000002000000018", "CZK"),
    creditorAccount: accountOf("CZ6508000000192000145399"),
    remittanceInformation: {
      unstructured: "Faktura 2024005",
      structured: { creditorReferenceInformation: { reference: ["VS:2024005", "KS:0308", "SS:12"] } },
    },
  },
  serviceLevel: "DMCT",
};

const INSTANT: Sample = {
  summary: "domestic, instant",
  identifications: { instructionIdentification: "TPP-2024-000005" },
  priority: "INST",
  elements: {
    ...amountOf(250, "CZK"),
    ...OWN_ACCOUNT,
    creditorAccount: accountOf("CZ6508000000192000145399"),
  },
  serviceLevel: "DMCT",
};

const SEPA: Sample = {
  summary: "SEPA, on behalf of somebody else",
  identifications: {
    instructionIdentification: "TPP-2024-000002",
    endToEndIdentification: "NOTPROVIDED",
  },
  priority: undefined,
  elements: {
    ...amountOf(99.9, "EUR"),
    ultimateDebtor: {
      name: "Karel Novak",
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
    debtorAccount: accountOf("CZ7199000000192000000034", "EUR"),
    creditorAgent: bankOf({ bic: "TESTATWW" }),
    creditor: {
      name: "Beispiel GmbH",
      postalAddress: { country: "AT", addressLine: ["Musterweg 1", "1030 Wien"] },
    },
    creditorAccount: accountOf("AT611904300234573201"),
    remittanceInformation: { unstructured: "Rechnung 77" },
  },
  serviceLevel: "ESCT",
  defaults: { chargeBearer: "SLEV" },
};

const INSIDE_EEA: Sample = {
  summary: "foreign, inside the EEA",
  identifications: { instructionIdentification: "TPP-2024-000003" },
  priority: undefined,
  elements: {
    ...amountOf(500, "USD"),
    chargeBearer: "SHAR",
    ...OWN_ACCOUNT,
    creditorAgent: bankOf({ bic: "TESTDEFF" }),
    creditor: { name: "Muster AG" },
    creditorAccount: accountOf("DE89370400440532013000"),
  },
  serviceLevel: "EXCT",
};

const OUTSIDE_EEA: Sample = {
  summary: "foreign, outside the EEA, to an account without an IBAN",
  identifications: { instructionIdentification: "TPP-2024-000004" },
  priority: undefined,
  elements: {
    ...amountOf(1245.44, "USD"),
    chargeBearer: "DEBT",
    ...OWN_ACCOUNT,
    creditorAgent: bankOf({ bic: "TESTUS33", name: "Sample Commercial Bank" }),
    creditor: {
      name: "Sample Boat Inc.",
      postalAddress: { country: "US", addressLine: ["1256 Grand St", "Brooklyn NY 11211"] },
    },
    creditorAccount: { identification: { other: { identification: "123456789" } } },
    remittanceInformation: { unstructured: "Invoice 5" },
  },
  serviceLevel: "NXCT",
};

const SAMPLES: Readonly<Record<string, Sample>> = {
  domestic: DOMESTIC,
  instant: INSTANT,
  sepa: SEPA,
  insideEea: INSIDE_EEA,
  outsideEea: OUTSIDE_EEA,
};

/** Bodies of R5. */
export const PAYMENT_ORDER_EXAMPLES = examplesOf(orderOf);

/** Answers of R5. */
export const PAYMENT_EXAMPLES: Readonly<Record<string, Example>> = {
  ...examplesOf((sample) => answerOf(sample, { instructionStatus: "ACTC" })),
  later: {
    summary: "entered after the cut-off time, so executed on another day",
    value: answerOf(DOMESTIC, {
      requestedExecutionDate: "2024-05-07",
      instructionStatus: "ACWC",
      statusChangeInfo: "TM01",
    }),
  },
};

/** Answers of R7. */
export const PAYMENT_DETAIL_EXAMPLES: Readonly<Record<string, Example>> = {
  entered: { summary: "waiting for the PSU", value: answerOf(DOMESTIC, { instructionStatus: "ACTC" }) },
  executed: {
    summary: "approved and executed",
    value: answerOf(SEPA, {
      instructionStatus: "ACSC",
      signInfo: { state: "DONE", signId: SIGN_ID },
    }),
  },
};

/** Answers of R6. */
export const PAYMENT_STATUS_EXAMPLES: Readonly<Record<string, Example>> = {
  approved: { summary: "approved, but not yet executed", value: { instructionStatus: "ACSP" } },
  changed: {
    summary: "waiting for the PSU; will be executed on another day",
    value: { instructionStatus: "ACWC", statusChangeInfo: "TM01" },
  },
  executed: { summary: "executed", value: { instructionStatus: "ACSC" } },
  rejected: { summary: "refused by the PSU, expired or not executed", value: { instructionStatus: "RJCT" } },
};

function examplesOf(write: (sample: Sample) => Json): Readonly<Record<string, Example>> {
  return Object.fromEntries(
    Object.entries(SAMPLES).map(([name, sample]) => [
      name,
      { summary: sample.summary, value: write(sample) },
    ]),
  );
}

function orderOf({ identifications, priority, elements }: Sample): Json {
  return {
    paymentIdentification: identifications,
    ...(priority !== undefined && { paymentTypeInformation: { instructionPriority: priority } }),
    ...elements,
  };
}

function answerOf({ identifications, priority, elements, ...sample }: Sample, told: Elements): Json {
  const serviceLevel = { code: sample.serviceLevel };
  return {
    transactionIdentification: PAYMENT_ID,
    serviceLevel,
    paymentIdentification: { ...identifications, transactionIdentification: PAYMENT_ID },
    paymentTypeInformation: { instructionPriority: priority ?? "NORM", serviceLevel },
    ...elements,
    ...sample.defaults,
    signInfo: { state: "OPEN", signId: SIGN_ID },
    ...told,
  };
}
