import type { Balance } from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import { type AccountInput, type AccountParts, answerAboutAccount } from "./answer-about-account.ts";

/** Reads the balances of an account (COBS 3.1.4), in all of its currencies or in one; refuses as `answerAboutAccount` does. */
export async function readBalances(
  parts: AccountParts,
  admission: PsuAdmission,
  input: AccountInput,
): Promise<readonly Balance[]> {
  const question = { admission, resource: "balance", input } as const;
  return answerAboutAccount(parts, question, ({ psu, account }) =>
    parts.bank.balancesOf({ psu, account, currency: input.currency }),
  );
}
