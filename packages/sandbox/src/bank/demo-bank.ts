/**
 * The demo bank: invented PSUs with two years of plausible history, the same each time for a seed and a day. It owns the
 * initial content of the sandbox bank; the resource server's sandbox bank reads and keeps it.
 */
import type { SandboxBankContent } from "@cobs/resource";
import { traitsOf } from "./account-traits.ts";
import { type DemoHistory, makeHistory } from "./make-history.ts";
import {
  type DemoPsu,
  describePsu,
  furtherLedgersOf,
  isMain,
  ledgerAccountsOf,
  openAccounts,
} from "./open-accounts.ts";
import { PSU_PLANS } from "./psu-plans.ts";

/** The demo PSUs and what the bank knows of them. */
export type DemoBank = { readonly psus: readonly DemoPsu[]; readonly content: SandboxBankContent };

/** Seed of every name and number of a sandbox's demo bank. */
export const DEMO_SEED = "sandbox";

/** Makes the demo bank. People, accounts and numbers depend only on the seed; bookings also on the day of `asOf`. */
export function makeDemoBank({ seed, asOf }: { readonly seed: string; readonly asOf: Date }): DemoBank {
  const openedOf = new Map(PSU_PLANS.map((plan) => [plan, openAccounts(seed, plan)]));
  const opened = [...openedOf.values()].flat();
  const accounts = opened.filter(isMain);
  let made: DemoHistory | undefined;
  // Made on demand: for a bank that already has the history, only the accounts are read.
  const history = () => {
    made ??= makeHistory(opened, seed, asOf);
    return made;
  };
  const content = {
    name: `demo-bank ${seed}`,
    ledger: ledgerAccountsOf(opened),
    accounts: accounts.map(({ account }) => account),
    ledgers: furtherLedgersOf(opened),
    access: accounts.map(({ psu, account }) => ({ psu, account: account.id })),
    traits: traitsOf(accounts, asOf),
    get bookings() {
      return history().bookings;
    },
    get pending() {
      return history().pending;
    },
  };
  return { psus: [...openedOf].flatMap(([plan, own]) => describePsu(plan, own)), content };
}
