import type { AccountId, CurrencyCode, Iban, Localized, PsuId } from "@cobs/cobs-model";
import type { OnBehalf } from "@cobs/service-edge";

/** An account as the consent page shows it; auth keeps nothing of it but the id. */
export interface PsuAccount {
  readonly id: AccountId;
  readonly iban: Iban;
  /** Czech form without the bank code, `prefix-base`. */
  readonly number: string;
  readonly bankCode: string;
  readonly currency: CurrencyCode;
  readonly names: Localized;
  readonly products: Localized;
}

/** The payment accounts of a PSU, asked from the resource server each time. */
export interface PsuAccounts {
  /** In the bank's order, empty for an unknown PSU. Throws `PrivateServiceUnavailable` when there is no usable answer. */
  accountsOf(psu: PsuId, onBehalf: OnBehalf): Promise<readonly PsuAccount[]>;
}
