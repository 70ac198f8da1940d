/**
 * What both sides read about an executed order, in the form of each family of transactions (COBS 3.1.5.1): parties, accounts
 * and banks of both. Only domestic payments have symbols; only foreign ones say who bears the charges.
 */
import {
  type ChargeBearer,
  type FinancialInstitution,
  findCzechIbanParts,
  inPermittedCharacters,
  type Localized,
  type Money,
  type PaymentOrder,
  presentDecimal,
  type RelatedAccount,
  type RelatedParty,
  type TransactionDetails,
} from "@cobs/cobs-model";
import type { Exchanged } from "./exchange-rates.ts";
import type { SandboxAccount } from "./sandbox-account.ts";

/** An order with what the bank knows of both sides; `creditor` only if it keeps that account too. */
export type OrderSides = {
  readonly order: PaymentOrder;
  readonly debtor: SandboxAccount;
  readonly creditor: SandboxAccount | undefined;
};

/** One side's view. */
export type OrderView = {
  /** Amount booked on the account of this side. */
  readonly booked: Exchanged;
  readonly text: Localized;
  /** Reference that the TPP gave; only the payer sees it. */
  readonly instructionIdentification?: string;
};

/** The details of an order as one side reads them. */
export function detailsOfOrder(sides: OrderSides, view: OrderView): TransactionDetails {
  const { order } = sides;
  const isForeign = order.type === "inside-eea" || order.type === "outside-eea";
  return {
    ...referencesOf(order, view),
    amountDetails: amountsOf(order.amount, view.booked),
    ...(isForeign && { charges: { bearer: BEARERS[order.chargeBearer ?? "SHAR"] } }),
    relatedParties: partiesOf(sides),
    relatedAgents: agentsOf(sides),
    ...remittanceOf(order),
    additionalTransactionInformation: view.text,
  };
}

/** Table: words of a payment to words of a history (COBS 4.6); `SLEV` has none. */
const BEARERS: Readonly<Record<ChargeBearer, "OUR" | "SHA" | "BEN">> = {
  DEBT: "OUR",
  CRED: "BEN",
  SHAR: "SHA",
  SLEV: "SHA",
};

function referencesOf(
  { endToEndIdentification, priority }: PaymentOrder,
  { instructionIdentification }: OrderView,
): Pick<TransactionDetails, "references"> {
  const references = {
    ...(instructionIdentification !== undefined && { instructionIdentification }),
    ...(endToEndIdentification !== undefined && { endToEndIdentification }),
    ...(priority === "INST" && { clearingSystemReference: "INST" }),
  };
  return Object.keys(references).length === 0 ? {} : { references };
}

function amountsOf(
  ordered: Money,
  { money, rate }: Exchanged,
): NonNullable<TransactionDetails["amountDetails"]> {
  const instructedAmount = { amount: textOf(ordered) };
  if (rate === undefined) return { instructedAmount };
  const currencyExchange = {
    sourceCurrency: money.currency,
    targetCurrency: ordered.currency,
    exchangeRate: rate,
  };
  return { instructedAmount, counterValueAmount: { amount: textOf(money), currencyExchange } };
}

function textOf(money: Money) {
  return { value: presentDecimal(money), currency: money.currency };
}

/** Stands for the name of a holder that the bank was never told, because foreign payments require names. */
const NO_NAME = "NOTPROVIDED";

function partiesOf({
  order,
  debtor,
  creditor,
}: OrderSides): NonNullable<TransactionDetails["relatedParties"]> {
  const isDomestic = order.type === "domestic";
  const payer = debtor.holder ?? (isDomestic ? undefined : NO_NAME);
  const payee = isDomestic ? nameOf(creditor?.holder ?? order.creditor?.name) : payeeAbroad(order);
  return {
    ...(payer !== undefined && { debtor: { name: isDomestic ? payer : inPermittedCharacters(payer) } }),
    debtorAccount: { identification: { iban: debtor.iban } },
    ...(order.ultimateDebtor !== undefined && { ultimateDebtor: order.ultimateDebtor }),
    ...(payee !== undefined && { creditor: payee }),
    creditorAccount: accountOf(order),
    ...(order.ultimateCreditor !== undefined && { ultimateCreditor: order.ultimateCreditor }),
  };
}

function nameOf(name: string | undefined): RelatedParty | undefined {
  return name === undefined ? undefined : { name };
}

/** Gives the payee; only SEPA payments have an identification of the party. */
function payeeAbroad({ type, creditor }: PaymentOrder): RelatedParty {
  const { name = NO_NAME, postalAddress, identification } = creditor ?? {};
  return {
    name,
    ...(postalAddress !== undefined && { postalAddress }),
    ...(type === "sepa" && identification !== undefined && { identification }),
  };
}

function accountOf({ creditorAccount }: PaymentOrder): RelatedAccount {
  if ("number" in creditorAccount)
    return { identification: { other: { identification: creditorAccount.number } } };
  return { identification: { iban: creditorAccount.iban } };
}

function agentsOf({ order, debtor }: OrderSides): NonNullable<TransactionDetails["relatedAgents"]> {
  const isDomestic = order.type === "domestic";
  const paying = isDomestic ? { other: { identification: debtor.bankCode } } : { bic: debtor.bic };
  return {
    debtorAgent: { financialInstitutionIdentification: paying },
    creditorAgent: { financialInstitutionIdentification: payeeBank(order) },
  };
}

const MAX_AGENT_NAME = 70;

function payeeBank({ type, creditorAgent, creditorAccount }: PaymentOrder): FinancialInstitution {
  const iban = "iban" in creditorAccount ? creditorAccount.iban : undefined;
  const bankCode = iban && findCzechIbanParts(iban)?.bankCode;
  if (type === "domestic" && bankCode !== undefined) return { other: { identification: bankCode } };
  const bic = creditorAgent?.bic ?? (iban === undefined ? undefined : testBicOf(iban));
  if (type === "sepa" || creditorAgent === undefined) return bic === undefined ? UNKNOWN_BANK : { bic };
  const { name } = creditorAgent;
  return { ...creditorAgent, ...(name !== undefined && { name: name.slice(0, MAX_AGENT_NAME) }) };
}

const UNKNOWN_BANK: FinancialInstitution = { other: { identification: "NOTPROVIDED" } };

/** Makes the BIC of a demo bank. A SEPA order may leave out the payee's bank (COBS 3.2.4.1), but its transaction may not. */
function testBicOf(iban: string): string {
  return `TEST${iban.slice(0, 2)}2X`;
}

function remittanceOf({
  type,
  unstructured,
  symbols,
}: PaymentOrder): Pick<TransactionDetails, "remittanceInformation"> {
  const reference = type === "domestic" ? symbolsOf(symbols) : [];
  if (unstructured === undefined && reference.length === 0) return {};
  return {
    remittanceInformation: {
      ...(unstructured !== undefined && { unstructured }),
      ...(reference.length > 0 && { structured: { creditorReferenceInformation: { reference } } }),
    },
  };
}

function symbolsOf({ variable, constant, specific }: PaymentOrder["symbols"]): readonly string[] {
  return [
    ...(variable === undefined ? [] : [`VS:${variable}`]),
    ...(constant === undefined ? [] : [`KS:${constant}`]),
    ...(specific === undefined ? [] : [`SS:${specific}`]),
  ];
}
