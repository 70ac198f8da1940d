import type { AccountId } from "@cobs/cobs-model";
import type { PsuAdmission } from "./admission.ts";

/** Whether an account may pay under a consent. A consent for payments alone names no accounts, and covers all of the PSU's. */
export function coversPayer({ accounts }: Pick<PsuAdmission, "accounts">, account: AccountId): boolean {
  return accounts.length === 0 || accounts.includes(account);
}
