import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import type { AccountOfPsu } from "../bank/bank.ts";

/** Every id that does not name an account of this call is told in the same words, whatever the reason (RS-09). */
export const ACCOUNT_UNKNOWN: Fault = {
  code: "ID_NOT_FOUND",
  path: "id",
  message: "there is no such account in this consent",
};

/**
 * Finds the account that a call names among those of the consent, or refuses with ID_NOT_FOUND. The bank is not asked about
 * any other id: a stranger's account, one that nobody has and a malformed id take the same path, which knows nothing of
 * accounts outside of the consent, so that neither the answer nor its time can tell them apart. Whether the account is
 * still the PSU's, the bank decides; that one of its own accounts has gone, the TPP may notice.
 */
export function requireConsentedAccount(
  { psu, accounts }: Pick<PsuAdmission, "psu" | "accounts">,
  id: string,
): AccountOfPsu {
  const account = accounts.find((consented) => consented === id);
  if (account === undefined) throw new ContentRefusal([ACCOUNT_UNKNOWN]);
  return { psu, account };
}
