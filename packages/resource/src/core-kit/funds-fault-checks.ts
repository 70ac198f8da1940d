/** Checks the faults that a core system finds in a question for funds, if an account can pay (clause 6.3). */
import { askFunds } from "../bank/http-connector/order-questions.ts";
import type { FundsQuestion } from "../bank/orders.ts";
import { currenciesOf } from "./kit-books.ts";
import { type KitCheck, requireSo } from "./kit-check.ts";
import { findPayingAccount } from "./kit-payer.ts";
import type { KitScene } from "./kit-scene.ts";
import { findStrangeCurrency, NO_CURRENCY } from "./strange-currencies.ts";

/** One unit of money. */
const AMOUNT = 100n;

/** AC09, which corresponds to AC10 of an order. */
export const FUNDS_IN_STRANGE_CURRENCY: KitCheck = {
  clause: "6.3",
  title: "A question for funds that names a currency which the account does not have gets AC09",
  show: async (scene) => {
    const account = await findPayingAccount(scene);
    const currency = findStrangeCurrency(await currenciesOf(scene, account));
    const amount = { minor: AMOUNT, currency: account.currency };
    await requireFault(scene, "AC09", { accounts: [account.id], iban: account.iban, currency, amount });
    return currency;
  },
};

/** AM11. It cannot be shown with an order: resource inspects none in a currency that `/terms` does not have. */
export const FUNDS_WITHOUT_EXCHANGE: KitCheck = {
  clause: "6.3",
  title: "A question for funds in a currency that the bank does not exchange gets AM11",
  show: async (scene) => {
    const { id, iban } = await findPayingAccount(scene);
    const amount = { minor: AMOUNT, currency: NO_CURRENCY };
    await requireFault(scene, "AM11", { accounts: [id], iban, currency: undefined, amount });
    return NO_CURRENCY;
  },
};

async function requireFault(
  { core, psu }: KitScene,
  code: string,
  asked: Omit<FundsQuestion, "psu">,
): Promise<void> {
  const told = await core.ask(askFunds({ psu, ...asked }));
  const what = `a question for funds of ${asked.amount.currency} in an account in ${asked.currency ?? "its own currency"}`;
  requireSo(!told.known && told.fault.code === code, `${what} does not get ${code}`, told);
}
