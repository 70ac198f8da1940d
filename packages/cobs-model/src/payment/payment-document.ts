/**
 * A payment on the wire (COBS 3.2.4 to 3.2.6): the accepted order and its progress. It owns the names and places of the
 * elements; the owner of a payment decides which state has which code.
 */
import { type AmountDocument, presentAmount } from "../money.ts";
import type { OtherIdentification, PartyIdentification, RelatedParty } from "../transaction.ts";
import type { Writable } from "../writable.ts";
import type { InstructionPriority, PaymentOrder, PaymentType } from "./payment-order.ts";
import type {
  IdentificationDocument,
  OtherDocument,
  PartyDocument,
  PaymentAccountDocument,
  PaymentElements,
} from "./payment-request.ts";
import type { SignInfo } from "./signing-document.ts";

/** Progress of a payment (COBS 3.2.5): RJCT and ACSC are final. */
export type InstructionStatus = "ACTC" | "ACWC" | "ACSP" | "ACSC" | "RJCT";

/** A payment and its state, as far as a TPP may see it. */
export type PresentedPayment = {
  readonly paymentId: string;
  readonly order: PaymentOrder;
  /** ISODate. */
  readonly executionDate: string;
  /** Whether the day differs from the one requested. */
  readonly changed: boolean;
  readonly status: InstructionStatus;
  readonly signInfo: SignInfo;
};

/** `instructionStatus`, with the reason of a change if there is one (COBS 3.2.5, A-46). */
export type StatusDocument = {
  readonly instructionStatus: InstructionStatus;
  readonly statusChangeInfo?: "TM01";
};

type ServiceLevel = { readonly code: "DMCT" | "ESCT" | "EXCT" | "NXCT" };

/** The answer of `POST /my/payments` and `GET /my/payments/{paymentId}` (COBS 3.2.4.2, 3.2.6). */
export type PaymentDocument = PaymentElements &
  StatusDocument & {
    readonly transactionIdentification: string;
    readonly serviceLevel: ServiceLevel;
    readonly paymentIdentification: { readonly transactionIdentification: string };
    readonly paymentTypeInformation: {
      readonly instructionPriority: InstructionPriority;
      readonly serviceLevel: ServiceLevel;
    };
    readonly amount: { readonly instructedAmount: AmountDocument };
    readonly signInfo: SignInfo;
  };

/** Table: service levels (COBS 4.24). */
const SERVICE_LEVELS: Readonly<Record<PaymentType, ServiceLevel>> = {
  domestic: { code: "DMCT" },
  sepa: { code: "ESCT" },
  "inside-eea": { code: "EXCT" },
  "outside-eea": { code: "NXCT" },
};

/** Writes a payment with its id and service level in both places, without ignored elements (COBS 3.2.4.2). */
export function presentPayment(payment: PresentedPayment): PaymentDocument {
  const { paymentId, order } = payment;
  const serviceLevel = SERVICE_LEVELS[order.type];
  return {
    transactionIdentification: paymentId,
    serviceLevel,
    ...presentOrder(order, payment),
    paymentIdentification: { ...presentIdentifications(order), transactionIdentification: paymentId },
    paymentTypeInformation: { instructionPriority: order.priority, serviceLevel },
    amount: { instructedAmount: presentAmount(order.amount) },
    signInfo: payment.signInfo,
    ...presentStatus(payment),
  };
}

/** Writes only the status (R6, A-73). A payment accepted with a change has the reason `TM01`. */
export function presentStatus({ status }: Pick<PresentedPayment, "status">): StatusDocument {
  return status === "ACWC"
    ? { instructionStatus: status, statusChangeInfo: "TM01" }
    : { instructionStatus: status };
}

function presentIdentifications(order: PaymentOrder): PaymentElements["paymentIdentification"] {
  const { instructionIdentification, endToEndIdentification } = order;
  return {
    instructionIdentification,
    ...(endToEndIdentification !== undefined && { endToEndIdentification }),
  };
}

function presentOrder(order: PaymentOrder, { changed, executionDate }: PresentedPayment): PaymentElements {
  const document: Writable<PaymentElements> = {
    paymentIdentification: presentIdentifications(order),
    debtorAccount: presentAccount(order.debtorAccount),
    creditorAccount: presentAccount(order.creditorAccount),
  };
  const day = changed ? executionDate : order.requestedExecutionDate;
  if (day !== undefined) document.requestedExecutionDate = day;
  if (order.chargeBearer !== undefined) document.chargeBearer = order.chargeBearer;
  addParties(document, order);
  addMessage(document, order);
  return document;
}

function addParties(document: Writable<PaymentElements>, order: PaymentOrder): void {
  const { creditor, creditorAgent, ultimateDebtor, ultimateCreditor } = order;
  if (creditorAgent) document.creditorAgent = { financialInstitutionIdentification: creditorAgent };
  if (creditor) document.creditor = presentParty(creditor);
  if (ultimateDebtor) document.ultimateDebtor = presentParty(ultimateDebtor);
  if (ultimateCreditor) document.ultimateCreditor = presentParty(ultimateCreditor);
}

function addMessage(
  document: Writable<PaymentElements>,
  { unstructured, references: reference }: PaymentOrder,
): void {
  if (unstructured === undefined && reference.length === 0) return;
  document.remittanceInformation = {
    ...(unstructured !== undefined && { unstructured }),
    ...(reference.length > 0 && { structured: { creditorReferenceInformation: { reference } } }),
  };
}

function presentAccount(account: PaymentOrder["creditorAccount"]): PaymentAccountDocument {
  if ("number" in account) return { identification: { other: { identification: account.number } } };
  const { iban, currency } = account;
  return { identification: { iban }, ...(currency !== undefined && { currency }) };
}

function presentParty({ identification, ...party }: RelatedParty): PartyDocument {
  return identification === undefined
    ? party
    : { ...party, identification: presentIdentification(identification) };
}

/** In a payment `other` is an object. */
function presentIdentification(identification: PartyIdentification): IdentificationDocument {
  if ("privateIdentification" in identification)
    return { privateIdentification: presentOther(identification.privateIdentification.other) };
  const { bicOrBei, other } = identification.organisationIdentification;
  return {
    organisationIdentification: { ...(bicOrBei !== undefined && { bicOrBei }), ...presentOther(other) },
  };
}

function presentOther([other]: readonly OtherIdentification[] = []): { readonly other?: OtherDocument } {
  if (other === undefined) return {};
  const { schemeName, ...rest } = other;
  const isOwn = schemeName !== undefined && "proprietary" in schemeName;
  return { other: { ...rest, ...(isOwn && { schemeName }) } };
}
