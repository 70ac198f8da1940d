import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";
import type { PsuAdmission } from "../admission/admission.ts";
import { coversPayer } from "../admission/covers-payer.ts";
import type { Bank } from "../bank/bank.ts";
import type { CardConsents } from "../card-consent/card-consent.ts";
import type { FindHolders } from "./check-balance.ts";

/** Finds the accounts from which the PSU of a call lets its TPP pay (COBS 3.2.3). */
export function holdersWhoPay(
  bank: Pick<Bank, "accountsOf">,
  { psu, accounts }: Pick<PsuAdmission, "psu" | "accounts">,
): FindHolders {
  return async (iban) => {
    const own = await bank.accountsOf(psu);
    const covered = own.filter((each) => each.iban === iban && coversPayer({ accounts }, each.id));
    const [first, ...others] = covered.map(({ id }) => id);
    return first === undefined ? [] : [{ psu, accounts: [first, ...others] }];
  };
}

/** Finds the accounts about which PSUs let a card issuer ask (COBS 3.3.3, A-79). */
export function holdersWhoConsented(
  consents: CardConsents,
  organisationIdentifier: OrganisationIdentifier,
  call: OnBehalf,
): FindHolders {
  return async (iban) => {
    const found = await consents.find({ organisationIdentifier, iban }, call);
    return found.map(({ psu, account }) => ({ psu, accounts: [account] }));
  };
}
