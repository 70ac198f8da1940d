import {
  type Account,
  type AccountId,
  type Iban,
  PAYMENT_TYPES,
  type PaymentOrder,
  parseAccountId,
} from "@cobs/cobs-model";
import { presentCoreOrder } from "../bank/http-connector/order-json.ts";
import { askFunds, askInspection, askProgress, sendOrder } from "../bank/http-connector/order-questions.ts";
import type { FundsAnswer, OrderInspection } from "../bank/orders.ts";
import { BANK_CODE_OF_ACCOUNTS } from "./bank-code-check.ts";
import { FUNDS_IN_STRANGE_CURRENCY, FUNDS_WITHOUT_EXCHANGE } from "./funds-fault-checks.ts";
import { currenciesOf, findAvailable } from "./kit-books.ts";
import { counted, type KitCheck, NotShown, requireSo } from "./kit-check.ts";
import { findOrderOfType, NO_IBAN, newPaymentId } from "./kit-order.ts";
import { findPayingAccount } from "./kit-payer.ts";
import { newOrder } from "./kit-payment.ts";
import { findForeignAccount, type KitScene } from "./kit-scene.ts";
import { requireProblem } from "./problem.ts";
import { FUNDS_OF_ONE_IBAN, PAYERS_OF_ONE_IBAN } from "./shared-iban-checks.ts";
import { findStrangeCurrency } from "./strange-currencies.ts";
import { remarkUnlisted } from "./unlisted-currencies.ts";

/** More than any account holds. */
const TOO_MUCH = 10n ** 17n;

/** The id of no account. */
const NO_ACCOUNT = parseAccountId("no-such-account");

/** Bodies that are not an order. */
const MALFORMED: readonly object[] = [{}, { digest: "0" }, { order: { type: "domestic" } }];

/** Checks the answers about orders that need no execution (clause 6). */
export const ORDER_CHECKS: readonly KitCheck[] = [
  {
    clause: "6.1",
    title: "The terms of the bank have the form of the contract",
    show: async (scene) => {
      const terms = await scene.terms();
      const { currencies, maxDaysAhead } = terms;
      requireSo(currencies.length > 0, "the bank pays in no currency", terms);
      return remarkUnlisted(`${currencies.length} currencies, ${maxDaysAhead} days ahead`, currencies);
    },
  },
  BANK_CODE_OF_ACCOUNTS,
  {
    clause: "6.2",
    title: "Inspecting an order gives the account that pays, or AC02 if the PSU has none",
    show: async (scene) => {
      const account = await firstAccount(scene);
      const available = await findAvailable(scene, scene.psu, account);
      const order = await domesticOrder(scene, account);
      const own = await inspect(scene, order);
      // Each currency may be listed as its own account.
      const same = (await scene.accounts()).filter(({ iban }) => iban === account.iban);
      const isOwn = same.some(({ id }) => id === own.account);
      requireSo(isOwn, "accountId is not the account of the order", own);
      for (const { iban } of await accountsOfOthers(scene))
        requireNoAccount(
          await inspect(scene, { ...order, debtorAccount: { iban, currency: undefined } }),
          "the PSU does not have",
        );
      requireNoAccount(await inspect(scene, order, await idsBeside(scene, account.iban)), "may not pay");
      const after = await findAvailable(scene, scene.psu, account);
      requireSo(after === available, "CLAV changes when an order is inspected");
      return `of ${counted((await scene.accounts()).length, "account")}`;
    },
  },
  PAYERS_OF_ONE_IBAN,
  {
    clause: "6.2",
    title: "A charge of each type of payment can be shown, and is in the currency that the account pays in",
    show: async (scene) => {
      const account = await firstAccount(scene);
      const kept = await currenciesOf(scene, account);
      const terms = await scene.terms();
      const orders = PAYMENT_TYPES.flatMap((type) => findOrderOfType(type, account, terms) ?? []);
      if (orders.length === 0)
        throw new NotShown("the bank executes no payment of any type in crowns or euros");
      for (const order of orders) {
        const told = await inspect(scene, order);
        const { fee } = told;
        const { currency } = order.amount;
        const pays = kept.has(currency) ? currency : account.currency;
        requireSo(
          fee === undefined || fee.currency === pays,
          `the charge of a payment ${order.type} is in ${fee?.currency}, but the account pays in ${pays}`,
          told,
        );
      }
      return orders.map(({ type }) => type).join(", ");
    },
  },
  {
    clause: "6.2",
    title: "An order that names a currency which the account does not have gets AC10",
    show: async (scene) => {
      const account = await firstAccount(scene);
      const currency = findStrangeCurrency(await currenciesOf(scene, account));
      const { iban } = account;
      const order = { ...(await domesticOrder(scene, account)), debtorAccount: { iban, currency } };
      const told = await inspect(scene, order);
      requireSo(
        told.faults.some(({ code }) => code === "AC10"),
        `an order from an account in ${currency} does not get AC10`,
        told,
      );
      return currency;
    },
  },
  {
    clause: "6.3",
    title: "A question for funds gets yes or no, or AC02 if there is no account",
    show: async (scene) => {
      const { id, iban, currency } = await findPayingAccount(scene);
      const amount = { minor: TOO_MUCH, currency };
      const ask = { psu: scene.psu, accounts: [id], iban, currency: undefined, amount };
      const answer = await scene.core.ask(askFunds(ask));
      requireSo(
        answer.known,
        `a question for funds of an account that can pay gets ${answer.known ? "" : answer.fault.code}`,
        answer,
      );
      requireSo(!answer.enough, "an impossibly large amount is said to be available", answer);
      for (const other of await accountsOfOthers(scene))
        requireNoFunds(
          await scene.core.ask(askFunds({ ...ask, accounts: [other.id], iban: other.iban })),
          "the PSU does not have",
        );
      requireNoFunds(
        await scene.core.ask(askFunds({ ...ask, accounts: await idsBeside(scene, iban) })),
        "is not one of accountIds",
      );
      return "a large amount is not available";
    },
  },
  {
    clause: "6.3",
    title: "The amount of CLAV is available, no more, and asking blocks nothing",
    show: async (scene) => {
      const account = await findPayingAccount(scene);
      const available = await findAvailable(scene, scene.psu, account);
      if (available === undefined || available <= 0n)
        throw new NotShown("the first account that can pay has no CLAV above zero");
      const { id, iban, currency } = account;
      const look = (minor: bigint) => {
        const amount = { minor, currency };
        const ask = { psu: scene.psu, accounts: [id], iban, currency: undefined, amount };
        return scene.core.ask(askFunds(ask));
      };
      const all = await look(available);
      requireSo(all.known && all.enough, "the amount of CLAV is said not to be available", all);
      const more = await look(available + 1n);
      requireSo(!(more.known && more.enough), "more than CLAV is said to be available", more);
      const after = await findAvailable(scene, scene.psu, account);
      requireSo(after === available, "CLAV changes when funds are asked for");
      return "to the last unit";
    },
  },
  FUNDS_OF_ONE_IBAN,
  FUNDS_IN_STRANGE_CURRENCY,
  FUNDS_WITHOUT_EXCHANGE,
  {
    clause: "6.4",
    title: "The state of an order that never arrived is unknown, with 200",
    show: async ({ core }) => {
      const progress = await core.ask(askProgress(newPaymentId()));
      requireSo(progress.state === "unknown", `an order that was never sent is ${progress.state}`, progress);
      return "unknown";
    },
  },
  {
    clause: "6.5",
    title: "A body that is not an order is refused with 400 request_malformed",
    show: async ({ core }) => {
      for (const json of MALFORMED) {
        const path = `/orders/${newPaymentId()}`;
        const answer = await core.send(path, { method: "PUT", json });
        requireProblem(answer, { status: 400, code: "request_malformed", of: "a body that is not an order" });
      }
      return `${MALFORMED.length} bodies refused`;
    },
  },
  {
    clause: "6.5",
    title: "An order of an amount below zero is refused in the same way",
    show: async (scene) => {
      const { order } = await newOrder(scene);
      const { path, sends } = sendOrder(order);
      const amount = { value: "-1.00", currency: order.order.amount.currency };
      const json = { ...sends?.json, order: { ...presentCoreOrder(order.order), amount } };
      const answer = await scene.core.send(path, { method: "PUT", json });
      requireProblem(answer, { status: 400, code: "request_malformed", of: "an amount below zero" });
      const progress = await scene.core.ask(askProgress(order.paymentId));
      requireSo(progress.state === "unknown", `it is ${progress.state} afterwards`, progress);
      return "refused";
    },
  },
];

function inspect({ core, psu }: KitScene, order: PaymentOrder, accounts?: readonly AccountId[]) {
  return core.ask(askInspection({ psu, accounts, order }));
}

function requireNoAccount(told: OrderInspection, which: string): void {
  const { account, faults } = told;
  const isRefused = account === undefined && faults.some(({ code }) => code === "AC02");
  requireSo(isRefused, `an account that ${which} is not refused with AC02`, told);
}

function requireNoFunds(told: FundsAnswer, which: string): void {
  const isRefused = !told.known && told.fault.code === "AC02";
  requireSo(isRefused, `an account that ${which} is not refused with AC02`, told);
}

/** Ids of the PSU's accounts with another IBAN; if there are none, an id that nobody has. */
async function idsBeside(scene: KitScene, iban: Iban): Promise<readonly AccountId[]> {
  const others = (await scene.accounts()).filter((each) => each.iban !== iban).map(({ id }) => id);
  return others.length > 0 ? others : [NO_ACCOUNT];
}

async function accountsOfOthers(scene: KitScene): Promise<readonly Pick<Account, "id" | "iban">[]> {
  const none = { id: NO_ACCOUNT, iban: NO_IBAN };
  return scene.otherPsu === undefined ? [none] : [none, await findForeignAccount(scene)];
}

/** A domestic order from the account; throws `NotShown` if the bank executes none. */
async function domesticOrder(scene: KitScene, account: Account): Promise<PaymentOrder> {
  const order = findOrderOfType("domestic", account, await scene.terms());
  if (order === undefined) throw new NotShown("the bank executes no domestic payment in crowns");
  return order;
}

async function firstAccount(scene: KitScene): Promise<Account> {
  const [account] = await scene.accounts();
  requireSo(account !== undefined, "the PSU has no account");
  return account;
}
