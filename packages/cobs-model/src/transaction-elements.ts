import {
  ADDRESS,
  AMOUNT,
  BIC,
  BOOLEAN,
  CODE,
  COUNTRY,
  CURRENCY,
  DATE,
  DECIMAL_TEXT,
  IBAN,
  listOf,
  localizedText,
  maskedNumber,
  OBJECT,
  oneOf,
  RATE,
  reference,
  SYMBOL_LIST,
  text,
} from "./element-formats.ts";
import type { ElementRow } from "./element-tree.ts";

const ALWAYS = "MMMMM";
const OPTIONAL = "OOOOO";
const NEVER = "-----";
const CHOICE = "CCCCC";

/** Most identifications of a party; the standard sets no limit (`0..n`), but an array must end somewhere. */
const MAX_IDENTIFICATIONS = 10;

const REFERENCES = "details.references";
const AMOUNTS = "details.amountDetails";
const COUNTER_VALUE = `${AMOUNTS}.counterValueAmount`;
const PARTIES = "details.relatedParties";
const AGENTS = "details.relatedAgents";
const REMITTANCE = "details.remittanceInformation";

/** Table: ADDR (COBS 4.10.1.4). */
const address = (path: string, occurrences: string, lines: number): readonly ElementRow[] => [
  [path, occurrences, ADDRESS],
  [`${path}.streetName`, OPTIONAL, text(70)],
  [`${path}.buildingNumber`, OPTIONAL, text(16)],
  [`${path}.postCode`, OPTIONAL, text(16)],
  [`${path}.townName`, OPTIONAL, text(35)],
  [`${path}.country`, OPTIONAL, COUNTRY],
  [`${path}.addressLine`, OPTIONAL, listOf(lines, text(70))],
];

/** Table: a code of a list, or the bank's own. */
const codeOrProprietary = (path: string, occurrences: string): readonly ElementRow[] => [
  [path, occurrences, OBJECT],
  [`${path}.code`, CHOICE, reference(35)],
  [`${path}.proprietary`, CHOICE, text(35)],
];

/** Table: `other` of IDENT (COBS 4.13). */
const otherIdentifications = (path: string): readonly ElementRow[] => [
  [path, OPTIONAL, listOf(MAX_IDENTIFICATIONS, OBJECT)],
  [`${path}.identification`, OPTIONAL, reference(35)],
  ...codeOrProprietary(`${path}.schemeName`, OPTIONAL),
  [`${path}.issuer`, OPTIONAL, text(35)],
];

/** Table: IDENT (COBS 4.13). */
const identification = (path: string): readonly ElementRow[] => [
  [path, "---O-", OBJECT],
  [`${path}.organisationIdentification`, CHOICE, OBJECT],
  [`${path}.organisationIdentification.bicOrBei`, OPTIONAL, BIC],
  ...otherIdentifications(`${path}.organisationIdentification.other`),
  [`${path}.privateIdentification`, CHOICE, OBJECT],
  ...otherIdentifications(`${path}.privateIdentification.other`),
];

/** Table: payer and payee. */
const party = (path: string): readonly ElementRow[] => [
  [path, "OOOMM", OBJECT],
  [`${path}.name`, "OOOMM", text(70)],
  ...address(`${path}.postalAddress`, "---OO", 2),
  ...identification(`${path}.identification`),
];

/** Table: the parties on whose behalf they pay and are paid. */
const ultimateParty = (path: string, lines: number): readonly ElementRow[] => [
  [path, "---O-", OBJECT],
  [`${path}.name`, "---O-", text(70)],
  ...address(`${path}.postalAddress`, "---O-", lines),
  ...identification(`${path}.identification`),
];

/** Table: ACCT (COBS 4.9). */
const account = (path: string): readonly ElementRow[] => [
  [path, "OOMMM", OBJECT],
  [`${path}.identification`, ALWAYS, OBJECT],
  [`${path}.identification.iban`, "CCCMC", IBAN],
  [`${path}.identification.other`, "CCC-C", OBJECT],
  [`${path}.identification.other.identification`, ALWAYS, reference(34)],
  [`${path}.currency`, OPTIONAL, CURRENCY],
  [`${path}.name`, "---OO", text(70)],
];

/** Table: FIN by type (COBS 4.10, 3.1.5.1). */
const institution = (path: string, names: string): readonly ElementRow[] => [
  [path, ALWAYS, OBJECT],
  [`${path}.bic`, "CCCMA", BIC],
  [`${path}.clearingSystemMemberIdentification`, "----A", OBJECT],
  ...codeOrProprietary(`${path}.clearingSystemMemberIdentification.clearingSystemIdentification`, OPTIONAL),
  [`${path}.clearingSystemMemberIdentification.memberIdentification`, ALWAYS, reference(35)],
  [`${path}.name`, names, text(70)],
  ...address(`${path}.postalAddress`, "----A", 2),
  [`${path}.other`, "CCC-A", OBJECT],
  [`${path}.other.identification`, ALWAYS, reference(35)],
];

/** Table: an amount (COBS AMT). */
const amount = (path: string, occurrences: string): readonly ElementRow[] => [
  [path, occurrences, AMOUNT],
  [`${path}.value`, ALWAYS, DECIMAL_TEXT],
  [`${path}.currency`, ALWAYS, CURRENCY],
];

/** Table: every element of a transaction (COBS 3.1.5, 3.1.5.1), as it is handed over, parents before children. */
export const TRANSACTION_ELEMENTS: readonly ElementRow[] = [
  ["entryReference", OPTIONAL, reference(35)],
  ...amount("amount", ALWAYS),
  ["direction", ALWAYS, oneOf("CRDT", "DBIT")],
  ["isReversal", OPTIONAL, BOOLEAN],
  ["status", ALWAYS, oneOf("BOOK", "PDNG")],
  ["bookingDate", ALWAYS, DATE],
  ["valueDate", ALWAYS, DATE],
  ["code", ALWAYS, CODE],
  ["details", "OOMMM", OBJECT],

  [REFERENCES, OPTIONAL, OBJECT],
  [`${REFERENCES}.messageIdentification`, OPTIONAL, reference(35)],
  [`${REFERENCES}.accountServicerReference`, OPTIONAL, reference(35)],
  [`${REFERENCES}.paymentInformationIdentification`, OPTIONAL, reference(35)],
  [`${REFERENCES}.instructionIdentification`, OPTIONAL, reference(35)],
  [`${REFERENCES}.endToEndIdentification`, OPTIONAL, reference(35)],
  [`${REFERENCES}.mandateIdentification`, "---D-", reference(35)],
  [`${REFERENCES}.chequeNumber`, OPTIONAL, maskedNumber(35)],
  [`${REFERENCES}.clearingSystemReference`, OPTIONAL, reference(35)],

  [AMOUNTS, OPTIONAL, OBJECT],
  [`${AMOUNTS}.instructedAmount`, OPTIONAL, OBJECT],
  ...amount(`${AMOUNTS}.instructedAmount.amount`, ALWAYS),
  [`${AMOUNTS}.transactionAmount`, NEVER, OBJECT],
  [COUNTER_VALUE, OPTIONAL, OBJECT],
  ...amount(`${COUNTER_VALUE}.amount`, OPTIONAL),
  [`${COUNTER_VALUE}.currencyExchange`, OPTIONAL, OBJECT],
  [`${COUNTER_VALUE}.currencyExchange.sourceCurrency`, ALWAYS, CURRENCY],
  [`${COUNTER_VALUE}.currencyExchange.targetCurrency`, OPTIONAL, CURRENCY],
  [`${COUNTER_VALUE}.currencyExchange.exchangeRate`, ALWAYS, RATE],
  [`${AMOUNTS}.proprietaryAmount`, NEVER, OBJECT],

  // 4.14 has other codes.
  ["details.charges", "----O", OBJECT],
  ["details.charges.bearer", ALWAYS, oneOf("OUR", "SHA", "BEN")],

  [PARTIES, "OOMMM", OBJECT],
  ...party(`${PARTIES}.debtor`),
  ...account(`${PARTIES}.debtorAccount`),
  ...ultimateParty(`${PARTIES}.ultimateDebtor`, 2),
  ...party(`${PARTIES}.creditor`),
  ...account(`${PARTIES}.creditorAccount`),
  ...ultimateParty(`${PARTIES}.ultimateCreditor`, 7),
  [`${PARTIES}.proprietary`, NEVER, OBJECT],

  [AGENTS, "OOMMM", OBJECT],
  [`${AGENTS}.debtorAgent`, "OOMMM", OBJECT],
  ...institution(`${AGENTS}.debtorAgent.financialInstitutionIdentification`, "OMOOA"),
  [`${AGENTS}.creditorAgent`, "OOMMM", OBJECT],
  ...institution(`${AGENTS}.creditorAgent.financialInstitutionIdentification`, "OOOOA"),

  ...codeOrProprietary("details.purpose", "---O-"),

  [REMITTANCE, OPTIONAL, OBJECT],
  [`${REMITTANCE}.unstructured`, OPTIONAL, text(140)],
  [`${REMITTANCE}.structured`, OPTIONAL, OBJECT],
  [`${REMITTANCE}.structured.creditorReferenceInformation`, ALWAYS, OBJECT],
  [`${REMITTANCE}.structured.creditorReferenceInformation.reference`, ALWAYS, SYMBOL_LIST],

  ["details.additionalTransactionInformation", OPTIONAL, localizedText(500)],
];
