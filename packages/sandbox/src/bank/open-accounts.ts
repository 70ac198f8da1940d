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
import type { FurtherLedger, LedgerAccount } from "@cobs/resource";
import { DEMO_SERVICER, drawAccountNumber } from "./account-numbers.ts";
import { type AccountPlan, type CurrencyPlan, DEMO_CURRENCIES, type PsuPlan } from "./account-plan.ts";
import { BANK_ACCOUNTS, type BankAccount } from "./booking-kinds.ts";
import { makeCreditorIdentifier } from "./creditor-identifier.ts";
import { czechParty, type DemoParty } from "./demo-party.ts";
import { openRandom, pickDigits, type Random } from "./random.ts";

/** A currency of an account of the demo bank, with the plan of what happens in it. */
export type OpenedLedger = {
  readonly psu: PsuId;
  /** Key of the account, unique within the PSU. */
  readonly key: string;
  readonly plan: CurrencyPlan;
  readonly account: Account;
  /** Ledger account of the currency; for the main currency, the account's own id. */
  readonly ledger: AccountId;
  readonly currency: CurrencyCode;
  /** The account as its payers and payees see it. */
  readonly party: DemoParty;
  /** Number of the account's only card, masked as in COBS 3.1.5.1. */
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

/** Address of every demo PSU, for payments that have one. */
const DEMO_ADDRESS = { country: "CZ", addressLine: ["Pod Kaštany 12", "160 00 Praha 6"] };

/** Opens the accounts of a PSU in all their currencies; ids and numbers depend only on the seed and the PSU's username. */
export function openAccounts(seed: string, plan: PsuPlan): readonly OpenedLedger[] {
  const psu = parsePsuId(drawId(openRandom(`${seed}/psu/${plan.username}`)));
  return plan.accounts.flatMap((each) => {
    const name = `${seed}/account/${plan.username}/${each.key}`;
    const random = openRandom(name);
    const account = openAccount(each, random);
    const party = partyOf(plan, account);
    const opened = { psu, key: each.key, account, party, maskedCard: drawMaskedCard(random) };
    const main = { ...opened, plan: each, ledger: account.id, currency: account.currency };
    const further = (each.further ?? []).map((currencyPlan) => ({
      ...opened,
      plan: currencyPlan,
      ledger: parseAccountId(drawId(openRandom(`${name}/${currencyPlan.currency}`))),
      currency: parseCurrencyCode(currencyPlan.currency),
    }));
    return [main, ...further];
  });
}

/** Whether this is the main currency of its account. */
export function isMain({ ledger, account }: OpenedLedger): boolean {
  return ledger === account.id;
}

/** Describes the PSU of opened accounts. */
export function describePsu(plan: PsuPlan, opened: readonly OpenedLedger[]): DemoPsu[] {
  const { username, displayName, segment } = plan;
  const accounts = opened.filter(isMain).map(({ account }) => account.id);
  return opened.slice(0, 1).map(({ psu }) => ({ id: psu, username, displayName, segment, accounts }));
}

/** Every ledger account: those of PSUs, and the bank's own in each currency. */
export function ledgerAccountsOf(opened: readonly OpenedLedger[]): readonly LedgerAccount[] {
  const own = DEMO_CURRENCIES.map((currency) => parseCurrencyCode(currency)).flatMap((currency) =>
    BANK_ACCOUNTS.map((name) => ({ id: bankAccountId(name, currency), currency, overdraftLimit: null })),
  );
  const ofPsus = opened.map(({ ledger, currency, plan }) => ({
    id: ledger,
    currency,
    overdraftLimit: BigInt((plan.overdraft ?? 0) * 100),
  }));
  return [...own, ...ofPsus];
}

/** The ledgers of further currencies of accounts. */
export function furtherLedgersOf(opened: readonly OpenedLedger[]): readonly FurtherLedger[] {
  return opened
    .filter((each) => !isMain(each))
    .map(({ account, currency, ledger }) => ({ account: account.id, currency, id: ledger }));
}

/** The ledger id of one of the bank's own accounts. */
export function bankAccountId(name: BankAccount, currency: CurrencyCode): AccountId {
  return parseAccountId(`bank-${name}-${currency}`);
}

/** Opens an account under a new number and id. */
export function openAccount(
  plan: Pick<AccountPlan, "currency" | "names" | "products">,
  random: Random,
): Account {
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

function partyOf({ username, holder }: PsuPlan, { iban }: Account): DemoParty {
  const { bankCode, bic } = DEMO_SERVICER;
  const creditorIdentifier = makeCreditorIdentifier("CZ", pickDigits(openRandom(`creditor ${username}`), 5));
  return { ...czechParty(holder, iban, { bankCode, bic, address: DEMO_ADDRESS }), creditorIdentifier };
}

/** Draws sixteen hexadecimal digits. Ids of a demo may be guessable, because consents guard every account. */
function drawId(random: Random): string {
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("");
}

/** Draws the number of a card, masked as in COBS 3.1.5.1. */
export function drawMaskedCard(random: Random): string {
  return `${"x".repeat(12)}${pickDigits(random, 4)}`;
}
