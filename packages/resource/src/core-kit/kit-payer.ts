import type { Account, BankTerms, Money, PaymentOrder } from "@cobs/cobs-model";
import { askInspection } from "../bank/http-connector/order-questions.ts";
import { findAvailable } from "./kit-books.ts";
import { NotShown, requireSo } from "./kit-check.ts";
import { findOrderTo, NO_CZECH_IBAN, type WantedOrder } from "./kit-order.ts";
import { type KitScene, LOOKED_AT_ACCOUNTS } from "./kit-scene.ts";

/** An account that can pay, a small order from it, and the charge. */
export interface Payer {
  readonly account: Account;
  readonly order: PaymentOrder;
  readonly fee: Money | undefined;
  readonly terms: BankTerms;
}

/** The wanted order, and whether it is to be executed, which needs enough money. */
export interface WantedPayer extends WantedOrder {
  readonly isExecuted: boolean;
}

/**
 * Finds the first account of the PSU whose order the bank inspects without faults. Accounts that cannot pay, or hold no money,
 * may be listed before it (clause 2.1). Throws `NotShown` if there is none.
 */
export async function findPayer(scene: KitScene, wanted: WantedPayer): Promise<Payer> {
  const { core, psu, accounts } = scene;
  const terms = await scene.terms();
  const now = new Date();
  const against = new Set<string>();
  const found = await accounts();
  const lookedAt = found.slice(0, LOOKED_AT_ACCOUNTS);
  for (const account of lookedAt) {
    if (account.iban === wanted.payee) {
      against.add("it is the payee");
      continue;
    }
    const order = findOrderTo(wanted, account, { terms, now });
    if (order === undefined) {
      against.add(`no domestic or SEPA payment to the payee is executed in ${account.currency}`);
      continue;
    }
    const told = await core.ask(askInspection({ psu, accounts: undefined, order }));
    const { fee, faults } = told;
    if (faults.length === 0 && told.account === account.id) {
      const payer = { account, order, fee, terms };
      if (!wanted.isExecuted || (await hasEnough(scene, payer))) return payer;
      against.add("its CLAV is less than the order and its charge");
    } else if (faults.length === 0) {
      // Each currency may be listed as its own account.
      const isSame = found.some(({ id, iban }) => id === told.account && iban === account.iban);
      requireSo(isSame, `the order of account ${account.id} would be paid from a different account`, told);
      against.add("another account with the same IBAN pays");
    }
    for (const { code } of faults) against.add(code);
  }
  const which =
    lookedAt.length < found.length ? `none of the first ${LOOKED_AT_ACCOUNTS} accounts` : "no account";
  throw new NotShown(`${which} can pay a small order to ${wanted.payee}: ${[...against].join(", ")}`);
}

/** The first account that can pay; any other gets only AC12 for a question about funds. */
export async function findPayingAccount(scene: KitScene): Promise<Account> {
  const wanted = { payee: NO_CZECH_IBAN, urgency: "soonest", isExecuted: false } as const;
  return (await findPayer(scene, wanted)).account;
}

/** The amount of an order plus its approved charge, which is in the currency that the account pays in (clause 6.2). */
export function costOf({ order: { amount }, fee }: Pick<Payer, "order" | "fee">): bigint {
  return amount.minor + (fee?.currency === amount.currency ? fee.minor : 0n);
}

/** Whether an account has enough to spend, if it says how much. */
export async function hasEnough(
  scene: KitScene,
  payer: Pick<Payer, "account" | "order" | "fee">,
): Promise<boolean> {
  const available = await findAvailable(scene, scene.psu, payer.account);
  return available === undefined || available >= costOf(payer);
}
