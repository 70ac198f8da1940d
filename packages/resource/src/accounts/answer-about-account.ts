import { ContentRefusal, CURRENCY_UNKNOWN, type CurrencyCode, type Fault } from "@cobs/cobs-model";
import type { PsuAdmission } from "../admission/admission.ts";
import type { AccountBank, AccountOfPsu } from "../bank/bank.ts";
import type { AccountCall, UnattendedAccesses } from "../unattended/unattended-accesses.ts";
import { refuseAsBank } from "./refuse-as-bank.ts";
import { requireConsentedAccount } from "./require-consented-account.ts";

/** Whom answers about accounts come from, and who counts them. */
export interface AccountParts {
  readonly bank: AccountBank;
  readonly accesses: UnattendedAccesses;
}

type AskingParts = { readonly bank: Pick<AccountBank, "currenciesOf"> } & Pick<AccountParts, "accesses">;

/** What a TPP wants of one account, as far as it could be read, and what is wrong with it. */
export interface AccountInput {
  /** As it came. */
  readonly id: string;
  readonly currency: CurrencyCode | undefined;
  readonly faults: readonly Fault[];
  /** Whether the PSU is away. */
  readonly unattended: boolean;
}

/** Of an admission, what decides about accounts. */
type AccountAdmission = Pick<PsuAdmission, "psu" | "accounts"> & AccountCall["admission"];

/** What is asked of an account, and for whom. */
export interface AccountQuestion {
  readonly admission: AccountAdmission;
  readonly resource: AccountCall["resource"];
  readonly input: AccountInput;
}

/**
 * Answers about an account of the consent, as part of an access. Refuses with ID_NOT_FOUND, with all faults of the input and
 * AC09, with what the bank refuses, or because no access may begin. `ask` runs for an input without faults; whether the
 * account and its currency are the bank's is told by its answer, so that a good call costs the bank one question.
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

/** All that is wrong is told together: the bank is asked for the account alone, whether that and its currency are known. */
async function refuseWithFaults(
  bank: Pick<AccountBank, "currenciesOf">,
  of: AccountOfPsu,
  { currency, faults }: AccountInput,
): Promise<never> {
  const currencies = await refuseAsBank(bank.currenciesOf(of));
  const isKept = currency === undefined || currencies.includes(currency);
  throw new ContentRefusal(isKept ? faults : [...faults, CURRENCY_UNKNOWN]);
}
