import { ContentRefusal, CURRENCY_UNKNOWN, type CurrencyCode, type Fault } from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import type { AccountBank, AccountOfPsu } from "../bank/bank.ts";
import type { AccountCall, UnattendedAccesses } from "../unattended/unattended-accesses.ts";
import { refuseAsBank } from "./refuse-as-bank.ts";
import { requireConsentedAccount } from "./require-consented-account.ts";

/** Dependencies of answers about accounts: the bank that answers, and the count of accesses. */
export interface AccountParts {
  readonly bank: AccountBank;
  readonly accesses: UnattendedAccesses;
}

type AskingParts = { readonly bank: Pick<AccountBank, "currenciesOf"> } & Pick<AccountParts, "accesses">;

/** What a TPP asks about one account, as far as it could be read, and its faults. */
export interface AccountInput {
  /** The account's id as it was sent. */
  readonly id: string;
  readonly currency: CurrencyCode | undefined;
  readonly faults: readonly Fault[];
  /** Whether the PSU is away. */
  readonly unattended: boolean;
}

/** The parts of an admission that decide about accounts. */
type AccountAdmission = Pick<PsuAdmission, "psu" | "accounts"> & AccountCall["admission"];

/** What is asked about an account, and for whom. */
export interface AccountQuestion {
  readonly admission: AccountAdmission;
  readonly resource: AccountCall["resource"];
  readonly input: AccountInput;
}

/**
 * Answers about an account of the consent, as part of an access. Refuses with ID_NOT_FOUND, with all faults of the input and
 * AC09, with the bank's refusal, or because no access may begin. `ask` runs only for an input without faults. Its answer
 * tells whether the bank has the account and its currency, so that a good call costs the bank one question.
 */
export async function answerAboutAccount<Answer>(
  { bank, accesses }: AskingParts,
  { admission, resource, input }: AccountQuestion,
  ask: (of: AccountOfPsu) => Promise<Answer>,
): Promise<Answer> {
  const of = requireConsentedAccount(admission, input.id);
  const call = { admission, account: of.account, resource, unattended: input.unattended };
  return accesses.within(call, async () => {
    if (input.faults.length > 0) await refuseWithFaults(bank, of, input);
    return refuseAsBank(ask(of));
  });
}

/** Refuses with all faults together; the bank is asked only whether it has the account, and in which currencies. */
async function refuseWithFaults(
  bank: Pick<AccountBank, "currenciesOf">,
  of: AccountOfPsu,
  { currency, faults }: AccountInput,
): Promise<never> {
  const currencies = await refuseAsBank(bank.currenciesOf(of));
  const isKept = currency === undefined || currencies.includes(currency);
  throw new ContentRefusal(isKept ? faults : [...faults, CURRENCY_UNKNOWN]);
}
