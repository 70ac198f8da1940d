/**
 * The demo bank: invented PSUs with two years of plausible history, always the same for the same seed and day.
 * It owns what the sandbox bank starts with; reading and keeping it is the resource server's sandbox bank.
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

/** What every name and number of a sandbox's demo bank depends on. */
export const DEMO_SEED = "sandbox";

/** Makes the demo bank; people, accounts and numbers depend on the seed alone, bookings on the day of `asOf` too. */
export function makeDemoBank({ seed, asOf }: { readonly seed: string; readonly asOf: Date }): DemoBank {
  const openedOf = new Map(PSU_PLANS.map((plan) => [plan, openAccounts(seed, plan)]));
  const opened = [...openedOf.values()].flat();
  const accounts = opened.filter(isMain);
  let made: DemoHistory | undefined;
  // Made when it is asked for: a bank that has it already asks for the accounts alone.
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
