import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import type { AccountOfPsu } from "../bank/bank.ts";

/** Every id that does not name an account of this call gets the same words, whatever the reason (RS-09). */
export const ACCOUNT_UNKNOWN: Fault = {
  code: "ID_NOT_FOUND",
  path: "id",
  message: "there is no such account in this consent",
};

/**
 * Finds the account that a call names among those of the consent, or refuses with ID_NOT_FOUND. The bank is asked about no
 * other id. A stranger's account, one that nobody has and a malformed id take the same path, which knows nothing about
 * accounts outside the consent, so that neither the answer nor its time can tell them apart. The bank decides whether the
 * account is still the PSU's; the TPP may notice that one of its consented accounts has gone.
 */
export function requireConsentedAccount(
  { psu, accounts }: Pick<PsuAdmission, "psu" | "accounts">,
  id: string,
): AccountOfPsu {
  const account = accounts.find((consented) => consented === id);
  if (account === undefined) throw new ContentRefusal([ACCOUNT_UNKNOWN]);
  return { psu, account };
}
