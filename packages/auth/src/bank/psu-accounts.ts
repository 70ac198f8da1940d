import type { AccountId, CurrencyCode, Iban, Localized, PsuId } from "@cobs/cobs-model";
import type { OnBehalf } from "@cobs/service-edge";

/** An account as the consent page shows it; auth stores only the id. Null means unknown to the bank. */
export interface PsuAccount {
  readonly id: AccountId;
  readonly iban: Iban;
  /** Czech form without the bank code, `prefix-base`. */
  readonly number: string | null;
  readonly bankCode: string | null;
  readonly currency: CurrencyCode;
  readonly names: Localized | null;
  readonly products: Localized | null;
}

/** The payment accounts of a PSU, requested from resource each time. */
export interface PsuAccounts {
  /**
   * Lists the accounts in the bank's order; empty for an unknown PSU. Throws `PrivateServiceUnavailable` when there is
   * no usable answer, or none before the caller gives up.
   */
  accountsOf(psu: PsuId, onBehalf: OnBehalf, givenUp?: AbortSignal): Promise<readonly PsuAccount[]>;
}
