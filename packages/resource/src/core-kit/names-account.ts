import {
  type Account,
  findCzechIbanParts,
  presentCzechAccountNumber,
  type RelatedAccount,
  type Transaction,
} from "@cobs/cobs-model";

/** A prefix of zeros alone, and zeros before the prefix or the base of a number, but not of the code of a bank. */
const LEADING_ZEROS = /^0+-|(?<![\w/])0+(?=[1-9])/g;

/**
 * Whether an entry says itself whose it is: its details name the account as payer or payee, by the IBAN or the number. No other
 * entry does: references may be numbered anew in each account, so a charge or interest booked to many accounts at once may be
 * the same in all of them.
 */
export function namesAccount({ details }: Transaction, account: Account): boolean {
  const { debtorAccount, creditorAccount } = details?.relatedParties ?? {};
  const names = namesOf(account);
  return [debtorAccount, creditorAccount].some((each) => each !== undefined && names.has(nameIn(each)));
}

/** What may stand for an account in the details of a transaction. */
function namesOf({ iban, number }: Account): ReadonlySet<string> {
  const parts = findCzechIbanParts(iban);
  const local = number ?? parts?.number;
  const whole = parts && presentCzechAccountNumber(parts.number, parts.bankCode);
  return new Set([iban, local, whole].filter((name) => name !== undefined));
}

function nameIn({ identification }: RelatedAccount): string {
  if ("iban" in identification) return identification.iban;
  return identification.other.identification.replace(LEADING_ZEROS, "");
}
