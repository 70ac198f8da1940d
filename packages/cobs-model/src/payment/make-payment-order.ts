import { type CurrencyCode, parseCurrencyCode } from "../currency-code.ts";
import { parseIban } from "../iban.ts";
import { type Money, parseAmount } from "../money.ts";
import type { PartyIdentification, RelatedParty } from "../transaction.ts";
import type { Writable } from "../writable.ts";
import { findDecimal, presentUnsigned } from "./decimal-number.ts";
import {
  type ChargeBearer,
  DEFAULT_PRIORITY,
  type PaymentAccount,
  type PaymentOrder,
  type PaymentType,
} from "./payment-order.ts";
import type {
  IdentificationDocument,
  PartyDocument,
  PaymentAccountDocument,
  PaymentRequest,
} from "./payment-request.ts";
import { findSymbols } from "./payment-symbols.ts";

/** Table: who bears the charges if the request does not say so (COBS 3.2.4.1). */
const DEFAULT_BEARER: Readonly<Record<PaymentType, ChargeBearer | undefined>> = {
  domestic: undefined,
  sepa: "SLEV",
  "inside-eea": "SHAR",
  "outside-eea": "SHAR",
};

/** Makes an order from a request without faults, with the defaults of COBS 3.2.4.1 and 4.24.1. */
export function makePaymentOrder(request: PaymentRequest, type: PaymentType): PaymentOrder {
  const { paymentIdentification, remittanceInformation } = request;
  const references = remittanceInformation?.structured?.creditorReferenceInformation?.reference ?? [];
  const unstructured = remittanceInformation?.unstructured;
  return {
    type,
    instructionIdentification: paymentIdentification.instructionIdentification,
    endToEndIdentification: paymentIdentification.endToEndIdentification,
    priority: request.paymentTypeInformation?.instructionPriority ?? DEFAULT_PRIORITY,
    amount: amountOf(request),
    requestedExecutionDate: request.requestedExecutionDate,
    chargeBearer: request.chargeBearer ?? DEFAULT_BEARER[type],
    debtorAccount: accountOf(request.debtorAccount),
    creditor: partyOf(request.creditor),
    creditorAgent: request.creditorAgent?.financialInstitutionIdentification,
    creditorAccount: creditorAccountOf(request.creditorAccount),
    ultimateDebtor: partyOf(request.ultimateDebtor),
    ultimateCreditor: partyOf(request.ultimateCreditor),
    unstructured,
    references,
    symbols: findSymbols(references, unstructured),
    initiatingParty: request.initiatingParty,
  };
}

function amountOf({ amount: { instructedAmount } }: PaymentRequest): Money {
  const decimal = findDecimal(instructedAmount.value);
  const value = decimal === undefined ? "" : presentUnsigned(decimal);
  return parseAmount({ value, currency: instructedAmount.currency }, "amount.instructedAmount");
}

function accountOf({ identification, currency }: PaymentAccountDocument): PaymentAccount {
  return { iban: parseIban(identification.iban), currency: currencyOf(currency) };
}

/** A number beside an IBAN was not read. */
function creditorAccountOf(account: PaymentAccountDocument): PaymentOrder["creditorAccount"] {
  const { other } = account.identification;
  return other === undefined ? accountOf(account) : { number: other.identification };
}

function currencyOf(text: string | undefined): CurrencyCode | undefined {
  return text === undefined ? undefined : parseCurrencyCode(text);
}

function partyOf(party: PartyDocument | undefined): RelatedParty | undefined {
  if (party === undefined) return undefined;
  const { identification, ...rest } = party;
  const related: Writable<RelatedParty> = rest;
  if (identification !== undefined) related.identification = identificationOf(identification);
  return related;
}

function identificationOf(document: IdentificationDocument): PartyIdentification {
  if ("privateIdentification" in document) {
    const { other } = document.privateIdentification;
    return { privateIdentification: other === undefined ? {} : { other: [other] } };
  }
  const { bicOrBei, other } = document.organisationIdentification;
  const organisation = { ...(bicOrBei !== undefined && { bicOrBei }), ...(other && { other: [other] }) };
  return { organisationIdentification: organisation };
}
