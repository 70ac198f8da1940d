import type { AccountId, CurrencyCode, Money } from "@cobs/cobs-model";

/** An account of the sandbox bank as an order finds it. */
export type SandboxAccount = {
  readonly id: AccountId;
  readonly iban: string;
  readonly bic: string;
  readonly bankCode: string;
  /** In whose name it is; older sandboxes do not know. */
  readonly holder: string | null;
  readonly isClosed: boolean;
  readonly isPaymentAccount: boolean;
  /** Its currencies, the main one first. */
  readonly ledgers: readonly SandboxLedger[];
};

/** The account of the ledger in which an account keeps a currency. */
export type SandboxLedger = { readonly id: AccountId; readonly currency: CurrencyCode };

/**
 * Where an amount is taken from or goes to: what is kept in the wanted currency, and where none is named, what is kept in that of
 * the amount, else in the main one. Undefined when the account is not kept in the wanted currency.
 */
export function chooseLedger(
  { ledgers }: Pick<SandboxAccount, "ledgers">,
  wanted: CurrencyCode | undefined,
  amount: Money,
): SandboxLedger | undefined {
  const keptIn = (currency: CurrencyCode) => ledgers.find((ledger) => ledger.currency === currency);
  if (wanted !== undefined) return keptIn(wanted);
  return keptIn(amount.currency) ?? ledgers[0];
}
