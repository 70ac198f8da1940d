import type { Balance } from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import { type AccountParts, type AccountWish, answerAboutAccount } from "./answer-about-account.ts";

/** The balances of an account (COBS 3.1.4), in all of its currencies or in one; refuses as `answerAboutAccount`. */
export async function readBalances(
  parts: AccountParts,
  admission: PsuAdmission,
  wish: AccountWish,
): Promise<readonly Balance[]> {
  const question = { admission, resource: "balance", wish } as const;
  return answerAboutAccount(parts, question, ({ psu, account }) =>
    parts.bank.balancesOf({ psu, account, currency: wish.currency }),
  );
}
