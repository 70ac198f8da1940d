import type { AccountId, CurrencyCode, Money } from "@cobs/cobs-model";

/** An account of the sandbox bank, with what orders need. */
export type SandboxAccount = {
  readonly id: AccountId;
  readonly iban: string;
  readonly bic: string;
  readonly bankCode: string;
  /** Name of the holder; older sandboxes do not have it. */
  readonly holder: string | null;
  readonly isClosed: boolean;
  readonly isPaymentAccount: boolean;
  /** Its currencies, the main one first. */
  readonly ledgers: readonly SandboxLedger[];
};

/** The ledger account in which an account keeps a currency. */
export type SandboxLedger = { readonly id: AccountId; readonly currency: CurrencyCode };

/**
 * Chooses the ledger that an amount is taken from or goes to: the one in the wanted currency, if any is named. Otherwise the
 * one in the amount's currency, or the main one. Undefined when the account is not kept in the wanted currency.
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
