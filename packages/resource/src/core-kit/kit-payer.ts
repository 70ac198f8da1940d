import type { Account, BankTerms, Money, PaymentOrder } from "@cobs/cobs-model";
import { askInspection } from "../bank/http-connector/order-questions.ts";
import { findAvailable } from "./kit-books.ts";
import { NotShown } from "./kit-check.ts";
import { findOrderTo, type WantedOrder } from "./kit-order.ts";
import { type KitScene, LOOKED_AT_ACCOUNTS } from "./kit-scene.ts";

/** An account that can pay, a small order that it would, and what that costs. */
export interface Payer {
  readonly account: Account;
  readonly order: PaymentOrder;
  readonly fee: Money | undefined;
  readonly terms: BankTerms;
}

/** Of what order, and whether it is to be executed, for which there must be enough to spend. */
export interface WantedPayer extends WantedOrder {
  readonly isExecuted: boolean;
}

/**
 * The first account of the PSU against which the bank has nothing when it pays: one that cannot may be listed before it (clause
 * 2.1), and so may one without money. Throws `NotShown` where there is none.
 */
export async function findPayer(scene: KitScene, wanted: WantedPayer): Promise<Payer> {
  const { core, psu, accounts } = scene;
  const terms = await scene.terms();
  const now = new Date();
  const against = new Set<string>();
  for (const account of (await accounts()).slice(0, LOOKED_AT_ACCOUNTS)) {
    const order = account.iban === wanted.payee ? undefined : findOrderTo(wanted, account, { terms, now });
    if (order === undefined) {
      against.add("it has no priority or currency for one");
      continue;
    }
    const { account: pays, fee, faults } = await core.ask(askInspection({ psu, accounts: undefined, order }));
    if (faults.length === 0 && pays === account.id) {
      const payer = { account, order, fee, terms };
      if (!wanted.isExecuted || (await hasEnough(scene, payer))) return payer;
      against.add("its CLAV is less than the order and its charge");
    }
    for (const { code } of faults) against.add(code);
  }
  throw new NotShown(
    `the bank has something against a small order to ${wanted.payee} from every account: ${[...against].join(", ")}`,
  );
}

/** The amount of an order, and what was approved as its charge, which is in the currency that the account pays in (clause 6.2). */
export function costOf({ order: { amount }, fee }: Pick<Payer, "order" | "fee">): bigint {
  return amount.minor + (fee?.currency === amount.currency ? fee.minor : 0n);
}

/** Whether an account has as much to spend, where it tells how much. */
export async function hasEnough(
  scene: KitScene,
  payer: Pick<Payer, "account" | "order" | "fee">,
): Promise<boolean> {
  const available = await findAvailable(scene, scene.psu, payer.account);
  return available === undefined || available >= costOf(payer);
}
