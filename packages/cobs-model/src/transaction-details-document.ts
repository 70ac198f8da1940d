import type { Language } from "./language.ts";
import { type AmountDocument, type DecimalNumber, presentNumber } from "./money.ts";
import type { AmountText, TransactionDetails } from "./transaction.ts";
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
type AmountDetailsDocument = {
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
