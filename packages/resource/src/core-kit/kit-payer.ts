import type { Account, BankTerms, Money, PaymentOrder } from "@cobs/cobs-model";
import { askInspection, askTerms } from "../bank/http-connector/order-questions.ts";
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

/** What is executed soonest comes first. */
export const SOONEST: WantedOrder["priorities"] = ["INST", "HIGH", "NORM"];

/**
 * The first account of the PSU against which the bank has nothing when it pays: one that cannot may be listed before it (clause
 * 2.1). Throws `NotShown` where there is none.
 */
export async function findPayer({ core, psu, accounts }: KitScene, wanted: WantedOrder): Promise<Payer> {
  const terms = await core.ask(askTerms());
  const against = new Set<string>();
  for (const account of (await accounts()).slice(0, LOOKED_AT_ACCOUNTS)) {
    const order = account.iban === wanted.payee ? undefined : findOrderTo(wanted, account, terms);
    if (order === undefined) {
      against.add("it has no priority or currency for one");
      continue;
    }
    const { account: pays, fee, faults } = await core.ask(askInspection({ psu, accounts: undefined, order }));
    if (faults.length === 0 && pays === account.id) return { account, order, fee, terms };
    for (const { code } of faults) against.add(code);
  }
  throw new NotShown(
    `the bank has something against a small order to ${wanted.payee} from every account: ${[...against].join(", ")}`,
  );
}
