import {
  type Account,
  type AccountId,
  type CurrencyCode,
  makeCzechIban,
  type PsuId,
  parseAccountId,
  parseCurrencyCode,
  parsePsuId,
} from "@cobs/cobs-model";
import type { LedgerAccount, Party } from "@cobs/resource";
import { DEMO_SERVICER, drawAccountNumber } from "./account-numbers.ts";
import type { AccountPlan, DemoCurrency, PsuPlan } from "./account-plan.ts";
import { BANK_ACCOUNTS, type BankAccount } from "./booking-kinds.ts";
import { openRandom, pickDigits, type Random } from "./random.ts";

/** An account of the demo bank with the plan of what happens on it. */
export type OpenedAccount = {
  readonly psu: PsuId;
  readonly holder: string;
  readonly plan: AccountPlan;
  readonly account: Account;
  /** How the account appears to those who pay it or are paid from it. */
  readonly party: Party;
  /** The number of the only card to the account, as COBS 3.1.5.1 shows it. */
  readonly maskedCard: string;
};

/** A demo PSU who can sign in; passwords and second factors are made elsewhere. */
export type DemoPsu = {
  readonly id: PsuId;
  readonly username: string;
  readonly displayName: string;
  readonly segment: "personal" | "business";
  readonly accounts: readonly AccountId[];
};

const CURRENCIES: readonly DemoCurrency[] = ["CZK", "EUR", "USD"];

/** Opens the accounts of a PSU; ids and numbers depend on the seed and the PSU's name alone. */
export function openAccounts(seed: string, plan: PsuPlan): readonly OpenedAccount[] {
  const psu = parsePsuId(drawId(openRandom(`${seed}/psu/${plan.username}`)));
  return plan.accounts.map((each) => {
    const random = openRandom(`${seed}/account/${plan.username}/${each.key}`);
    const account = openAccount(each, random);
    const { bankCode, bic } = DEMO_SERVICER;
    const party = { name: plan.holder, iban: account.iban, bankCode, bic };
    return { psu, holder: plan.holder, plan: each, account, party, maskedCard: drawMaskedCard(random) };
  });
}

/** Tells who the PSU of some opened accounts is. */
export function describePsu(plan: PsuPlan, opened: readonly OpenedAccount[]): DemoPsu[] {
  const { username, displayName, segment } = plan;
  const accounts = opened.map(({ account }) => account.id);
  return opened.slice(0, 1).map(({ psu }) => ({ id: psu, username, displayName, segment, accounts }));
}

/** Every account of the ledger: those of PSUs, and the bank's own in each currency. */
export function ledgerAccountsOf(opened: readonly OpenedAccount[]): readonly LedgerAccount[] {
  const own = CURRENCIES.map((currency) => parseCurrencyCode(currency)).flatMap((currency) =>
    BANK_ACCOUNTS.map((name) => ({ id: bankAccountId(name, currency), currency, overdraftLimit: null })),
  );
  const ofPsus = opened.map(({ account: { id, currency }, plan }) => ({
    id,
    currency,
    overdraftLimit: BigInt((plan.overdraft ?? 0) * 100),
  }));
  return [...own, ...ofPsus];
}

/** The ledger's id of one of the bank's own accounts. */
export function bankAccountId(name: BankAccount, currency: CurrencyCode): AccountId {
  return parseAccountId(`bank-${name}-${currency}`);
}

function openAccount(plan: AccountPlan, random: Random): Account {
  const number = drawAccountNumber(random);
  return {
    id: parseAccountId(drawId(random)),
    iban: makeCzechIban(DEMO_SERVICER.bankCode, number),
    number,
    currency: parseCurrencyCode(plan.currency),
    servicer: DEMO_SERVICER,
    names: plan.names,
    products: plan.products,
  };
}

/** Sixteen hexadecimal digits; the ids of a demo need not be hard to guess, a consent guards every account. */
function drawId(random: Random): string {
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("");
}

function drawMaskedCard(random: Random): string {
  return `${"x".repeat(12)}${pickDigits(random, 4)}`;
}
