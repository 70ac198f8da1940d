import { presentDateOrTime } from "./bank-time.ts";
import type { Language } from "./language.ts";
import { type AmountDocument, type DecimalNumber, presentAmount, presentNumber } from "./money.ts";
import { type Page, type PageEnvelope, presentPage } from "./page.ts";
import type { AmountText, Transaction, TransactionDetails } from "./transaction.ts";
import type { Writable } from "./writable.ts";

type AmountDetails = NonNullable<TransactionDetails["amountDetails"]>;
type CounterValue = NonNullable<AmountDetails["counterValueAmount"]>;
type CurrencyExchange = NonNullable<CounterValue["currencyExchange"]>;

type CounterValueDocument = {
  readonly amount?: AmountDocument;
  readonly currencyExchange?: Omit<CurrencyExchange, "exchangeRate"> & {
    readonly exchangeRate: DecimalNumber;
  };
};

/** `amountDetails` on the wire (COBS 3.1.5.1), with numbers. */
export type AmountDetailsDocument = {
  readonly instructedAmount?: { readonly amount: AmountDocument };
  readonly counterValueAmount?: CounterValueDocument;
};

/** `transactionDetails` on the wire (COBS 3.1.5.1), in one language. */
export type TransactionDetailsDocument = Omit<
  TransactionDetails,
  "amountDetails" | "additionalTransactionInformation"
> & {
  readonly amountDetails?: AmountDetailsDocument;
  readonly additionalTransactionInformation?: string;
};

/** One transaction on the wire (COBS 3.1.5); what is not known is left out. */
export type TransactionDocument = {
  readonly entryReference?: string;
  readonly amount: AmountDocument;
  readonly creditDebitIndicator: "CRDT" | "DBIT";
  readonly reversalIndicator: boolean;
  readonly status: "BOOK" | "PDNG";
  readonly bookingDate: { readonly date: string };
  readonly valueDate: { readonly date: string };
  readonly bankTransactionCode: { readonly proprietary: { readonly code: string; readonly issuer: "CBA" } };
  readonly entryDetails?: { readonly transactionDetails: TransactionDetailsDocument };
};

/** The answer of `GET /my/accounts/{id}/transactions` (COBS 3.1.5, A-35). */
export type TransactionListDocument = PageEnvelope & {
  readonly transactions: readonly TransactionDocument[];
};

/** Writes a page of transactions, with the bank's texts in one language (COBS 3.1.5, PDF 1.2.6). */
export function presentTransactionList(page: Page<Transaction>, language: Language): TransactionListDocument {
  const { pageNumber, pageCount, nextPage, pageSize, totalCount } = presentPage(page);
  const transactions = page.entries.map((entry) => presentTransaction(entry, language));
  return { pageNumber, pageCount, nextPage, pageSize, totalCount, transactions };
}

function presentTransaction(transaction: Transaction, language: Language): TransactionDocument {
  const { entryReference, details } = transaction;
  const document: Writable<TransactionDocument> = presentEntry(transaction);
  if (entryReference !== null) document.entryReference = entryReference;
  if (details !== null) document.entryDetails = { transactionDetails: presentDetails(details, language) };
  return document;
}

function presentEntry(transaction: Transaction): TransactionDocument {
  return {
    amount: presentAmount(transaction.amount),
    creditDebitIndicator: transaction.direction,
    reversalIndicator: transaction.isReversal,
    status: transaction.status,
    bookingDate: { date: presentDateOrTime(transaction.bookingDate) },
    valueDate: { date: presentDateOrTime(transaction.valueDate) },
    bankTransactionCode: { proprietary: { code: transaction.code, issuer: "CBA" } },
  };
}

/** Writes the details of a transaction, with the bank's text in one language (COBS 3.1.5.1). */
export function presentDetails(details: TransactionDetails, language: Language): TransactionDetailsDocument {
  const document: Writable<TransactionDetailsDocument> = {};
  const text = details.additionalTransactionInformation;
  if (details.references) document.references = details.references;
  if (details.amountDetails) document.amountDetails = presentAmountDetails(details.amountDetails);
  if (details.charges) document.charges = details.charges;
  if (details.relatedParties) document.relatedParties = details.relatedParties;
  if (details.relatedAgents) document.relatedAgents = details.relatedAgents;
  if (details.purpose) document.purpose = details.purpose;
  if (details.remittanceInformation) document.remittanceInformation = details.remittanceInformation;
  if (text !== undefined)
    document.additionalTransactionInformation = typeof text === "string" ? text : text[language];
  return document;
}

function presentAmountDetails({
  instructedAmount,
  counterValueAmount,
}: AmountDetails): AmountDetailsDocument {
  const document: Writable<AmountDetailsDocument> = {};
  if (instructedAmount) document.instructedAmount = { amount: presentAmountText(instructedAmount.amount) };
  if (counterValueAmount) document.counterValueAmount = presentCounterValue(counterValueAmount);
  return document;
}

function presentCounterValue({ amount, currencyExchange }: CounterValue): CounterValueDocument {
  const document: Writable<CounterValueDocument> = {};
  if (amount) document.amount = presentAmountText(amount);
  if (currencyExchange) {
    const exchangeRate = presentNumber(currencyExchange.exchangeRate);
    document.currencyExchange = { ...currencyExchange, exchangeRate };
  }
  return document;
}

function presentAmountText({ value, currency }: AmountText): AmountDocument {
  return { value: presentNumber(value), currency };
}
