import { ADDRESS, COUNTRY, CURRENCY, type Format, IBAN, listOf, OBJECT, oneOf } from "../element-formats.ts";
import { type ElementNode, type ElementRow, growTree } from "../element-tree.ts";
import {
  ACCOUNT_NUMBER,
  bearer,
  CLEARING_MEMBER,
  CREDITOR_BIC,
  CREDITOR_IBAN,
  CREDITOR_IDENTIFICATION,
  coded,
  czechText,
  DAY,
  identification,
  missedAs,
  NUMBER,
  OTHER,
  peopleText,
  SYMBOLS,
  swiftText,
} from "./payment-formats.ts";
import { CHARGE_BEARERS, INSTRUCTION_PRIORITIES, PAYMENT_TYPES, type PaymentType } from "./payment-order.ts";

/** The types of payment, and `unknown` for a payment whose type cannot be derived: the elements that all types have. */
type Column = PaymentType | "unknown";

/** Formats that differ by type (COBS 3.2.4.1). */
type Formats = { readonly message: Format; readonly bearer: Format };

const COLUMNS: readonly Column[] = [...PAYMENT_TYPES, "unknown"];

/** Table: formats by type. */
const FORMATS: Readonly<Record<Column, Formats>> = {
  domestic: { message: czechText(140), bearer: bearer() },
  sepa: { message: swiftText(140), bearer: bearer("SLEV") },
  "inside-eea": { message: swiftText(140), bearer: bearer("DEBT", "SHAR") },
  "outside-eea": { message: swiftText(140), bearer: bearer("DEBT", "CRED", "SHAR") },
  // Whatever may be sent abroad may be sent at home.
  unknown: { message: czechText(140), bearer: bearer(...CHARGE_BEARERS) },
};

const MANDATORY = "MMMMM";
const OPTIONAL = "OOOOO";

/** Occurrence of an element used only in SEPA. */
const SEPA_OPTIONAL = "-O---";
const SEPA_MANDATORY = "-M---";
const SEPA_CHOICE = "-C---";

const INSTITUTION = "creditorAgent.financialInstitutionIdentification";
const CLEARING = `${INSTITUTION}.clearingSystemMemberIdentification`;
const REFERENCE = "remittanceInformation.structured.creditorReferenceInformation";

/** Table: ADDR (COBS 4.10.1.4). */
const address = (path: string, occurrences: string, missing?: "RR03"): readonly ElementRow[] => {
  const below = occurrences.replaceAll("M", "O").replaceAll("A", "O");
  return [
    [path, occurrences, missing === undefined ? ADDRESS : missedAs(missing, ADDRESS)],
    [`${path}.streetName`, below, swiftText(70)],
    [`${path}.buildingNumber`, below, swiftText(16)],
    [`${path}.postCode`, below, swiftText(16)],
    [`${path}.townName`, below, swiftText(35)],
    [`${path}.country`, below, COUNTRY],
    [`${path}.addressLine`, below, listOf(2, swiftText(70))],
  ];
};

/** Table: `other` of IDENT (COBS 4.13). */
const otherIdentification = (path: string): readonly ElementRow[] => [
  [path, SEPA_OPTIONAL, OTHER],
  [`${path}.identification`, SEPA_MANDATORY, identification(35)],
  [`${path}.schemeName`, SEPA_OPTIONAL, OBJECT],
  [`${path}.schemeName.proprietary`, SEPA_MANDATORY, swiftText(35)],
  [`${path}.issuer`, SEPA_OPTIONAL, swiftText(35)],
];

/** Table: a party on whose behalf is paid, in SEPA (COBS 4.13). */
const ultimateParty = (path: string): readonly ElementRow[] => [
  [path, SEPA_OPTIONAL, OBJECT],
  [`${path}.name`, SEPA_OPTIONAL, swiftText(70)],
  ...address(`${path}.postalAddress`, SEPA_OPTIONAL),
  [`${path}.identification`, SEPA_OPTIONAL, OBJECT],
  [`${path}.identification.organisationIdentification`, SEPA_CHOICE, OBJECT],
  [
    `${path}.identification.organisationIdentification.bicOrBei`,
    SEPA_OPTIONAL,
    { ...CREDITOR_BIC, codeOf: () => "FIELD_INVALID" },
  ],
  ...otherIdentification(`${path}.identification.organisationIdentification.other`),
  [`${path}.identification.privateIdentification`, SEPA_CHOICE, OBJECT],
  ...otherIdentification(`${path}.identification.privateIdentification.other`),
];

/** Table: the payee and its bank (COBS 3.2.4.1); the name of the bank may be as long as there. */
const creditor: readonly ElementRow[] = [
  ["creditorAgent", "-OMM-", OBJECT],
  [INSTITUTION, "-MMM-", OBJECT],
  [`${INSTITUTION}.bic`, "-MMA-", CREDITOR_BIC],
  [CLEARING, "---A-", CLEARING_MEMBER],
  [`${CLEARING}.clearingSystemIdentification`, "---O-", OBJECT],
  [`${CLEARING}.clearingSystemIdentification.code`, "---C-", identification(5)],
  [`${CLEARING}.clearingSystemIdentification.proprietary`, "---C-", swiftText(35)],
  [`${CLEARING}.memberIdentification`, "---M-", identification(35)],
  [`${INSTITUTION}.name`, "---A-", swiftText(105)],
  ...address(`${INSTITUTION}.postalAddress`, "---A-"),
  [`${INSTITUTION}.other`, "---A-", OBJECT],
  [`${INSTITUTION}.other.identification`, "---O-", identification(35)],

  ["creditor", "-MMM-", OBJECT],
  ["creditor.name", "-MMM-", missedAs("RR03", swiftText(70))],
  ...address("creditor.postalAddress", "-OOM-", "RR03"),

  ["creditorAccount", MANDATORY, OBJECT],
  ["creditorAccount.identification", MANDATORY, CREDITOR_IDENTIFICATION],
  ["creditorAccount.identification.iban", "MMOOM", CREDITOR_IBAN],
  ["creditorAccount.identification.other", "--OO-", OBJECT],
  ["creditorAccount.identification.other.identification", "--MM-", ACCOUNT_NUMBER],
  ["creditorAccount.currency", "O----", CURRENCY],
];

/**
 * Table: every element of a payment (COBS 3.2.4.1, 4.x) that some type uses, parents before children, in the order of the
 * columns above. Elements in no row, or with a hyphen, are ignored, except `chargeBearer` (BE19).
 */
const elements = (formats: Formats): readonly ElementRow[] => [
  ["paymentIdentification", MANDATORY, OBJECT],
  ["paymentIdentification.instructionIdentification", MANDATORY, identification(35)],
  ["paymentIdentification.endToEndIdentification", SEPA_MANDATORY, identification(35)],
  ["paymentTypeInformation", OPTIONAL, OBJECT],
  ["paymentTypeInformation.instructionPriority", OPTIONAL, oneOf(...INSTRUCTION_PRIORITIES)],
  ["amount", MANDATORY, OBJECT],
  ["amount.instructedAmount", MANDATORY, OBJECT],
  ["amount.instructedAmount.value", MANDATORY, NUMBER],
  ["amount.instructedAmount.currency", MANDATORY, CURRENCY],
  ["requestedExecutionDate", OPTIONAL, DAY],
  ["chargeBearer", OPTIONAL, formats.bearer],
  ["debtorAccount", MANDATORY, OBJECT],
  ["debtorAccount.identification", MANDATORY, OBJECT],
  ["debtorAccount.identification.iban", MANDATORY, coded("AC02", IBAN)],
  ["debtorAccount.currency", OPTIONAL, CURRENCY],
  ...ultimateParty("ultimateDebtor"),
  ...creditor,
  ...ultimateParty("ultimateCreditor"),
  ["remittanceInformation", OPTIONAL, OBJECT],
  ["remittanceInformation.unstructured", OPTIONAL, formats.message],
  ["remittanceInformation.structured", "O----", OBJECT],
  [REFERENCE, "O----", OBJECT],
  [`${REFERENCE}.reference`, "O----", SYMBOLS],
  // the standard's own example is longer than the standard allows.
  ["initiatingParty", OPTIONAL, OBJECT],
  ["initiatingParty.name", OPTIONAL, peopleText(70)],
  ["initiatingParty.postalAddress", OPTIONAL, peopleText(70)],
];

/** Element trees made from the table, one for each type of payment. */
export const PAYMENT_TREES: Readonly<Record<Column, ElementNode>> = {
  domestic: treeOf("domestic"),
  sepa: treeOf("sepa"),
  "inside-eea": treeOf("inside-eea"),
  "outside-eea": treeOf("outside-eea"),
  unknown: treeOf("unknown"),
};

function treeOf(column: Column): ElementNode {
  const position = COLUMNS.indexOf(column);
  return growTree(elements(FORMATS[column]), (letters) => letters[position]);
}

/** Whether an element is mandatory in every type of payment. */
export function isNeededByAll(path: string): boolean {
  let node: ElementNode | undefined = PAYMENT_TREES.unknown;
  for (const name of path.split(".")) node = node?.children.find((child) => child.name === name);
  return node?.occurrence === "M";
}
