import { type Account, makeIban, type PaymentOrder } from "@cobs/cobs-model";
import { askAccounts } from "../bank/http-connector/core-questions.ts";
import { askFunds, askInspection, askProgress, askTerms } from "../bank/http-connector/order-questions.ts";
import { type KitCheck, requireSo } from "./kit-check.ts";
import { kitOrder, newPaymentId } from "./kit-order.ts";
import type { KitScene } from "./kit-scene.ts";
import { requireProblem } from "./problem.ts";

/** Nobody has so much. */
const TOO_MUCH = 10n ** 17n;

/** Of no bank. */
const NO_IBAN = makeIban("DE", "000000000000000000");

/** Bodies that are no order. */
const MALFORMED: readonly object[] = [{}, { digest: "0" }, { order: { type: "domestic" } }];

/** What a core system says of orders without executing one (clause 6). */
export const ORDER_CHECKS: readonly KitCheck[] = [
  {
    clause: "6.1",
    title: "What the bank executes has the form of the contract",
    show: async ({ core }) => {
      const { currencies, maxDaysAhead } = await core.ask(askTerms());
      requireSo(currencies.length > 0, "no currency is executed");
      return `${currencies.length} currencies, ${maxDaysAhead} days ahead`;
    },
  },
  {
    clause: "6.2",
    title: "An order is told the account that pays, and AC02 where the PSU has none",
    show: async (scene) => {
      const account = await firstAccount(scene);
      const own = await inspect(scene, kitOrder(account, NO_IBAN));
      requireSo(own.account === account.id, "an account of the PSU is not told as the one that pays");
      const charged = own.fee?.currency ?? account.currency;
      requireSo(
        charged === account.currency,
        `a charge is in ${charged}, and the account in ${account.currency}`,
      );
      const [unknown, foreign] = [NO_IBAN, (await foreignAccount(scene))?.iban ?? NO_IBAN];
      for (const iban of [unknown, foreign]) {
        const { account: paying, faults } = await inspect(scene, kitOrder({ ...account, iban }, NO_IBAN));
        const isRefused = paying === undefined && faults.some(({ code }) => code === "AC02");
        requireSo(isRefused, "an account that the PSU does not have is not refused with AC02");
      }
      return `of ${(await scene.accounts()).length} accounts`;
    },
  },
  {
    clause: "6.3",
    title: "Funds are told with yes and no alone, and AC02 where there is no account",
    show: async (scene) => {
      const { iban, currency } = await firstAccount(scene);
      const ask = { psu: scene.psu, iban, currency: undefined, amount: { minor: TOO_MUCH, currency } };
      const answer = await scene.core.ask(askFunds(ask));
      requireSo(answer.known && !answer.enough, "more than there can be is told to be there");
      const stranger = await scene.core.ask(askFunds({ ...ask, iban: NO_IBAN }));
      requireSo(
        !stranger.known && stranger.fault.code === "AC02",
        "an unknown account is not refused with AC02",
      );
      return "a large amount is not there";
    },
  },
  {
    clause: "6.4",
    title: "An order that never arrived is told as unknown, with 200",
    show: async ({ core }) => {
      const { state } = await core.ask(askProgress(newPaymentId()));
      requireSo(state === "unknown", `an order that was never sent is ${state}`);
      return "unknown";
    },
  },
  {
    clause: "6.5",
    title: "A body that is no order is refused with 400 request_malformed, and not taken",
    show: async ({ core }) => {
      for (const json of MALFORMED) {
        const path = `/orders/${newPaymentId()}`;
        const answer = await core.send(path, { method: "PUT", json });
        requireProblem(answer, { status: 400, code: "request_malformed", of: "a body that is no order" });
      }
      return `${MALFORMED.length} bodies refused`;
    },
  },
];

function inspect({ core, psu }: KitScene, order: PaymentOrder) {
  return core.ask(askInspection({ psu, accounts: undefined, order }));
}

async function foreignAccount({ core, otherPsu, accounts }: KitScene): Promise<Account | undefined> {
  if (otherPsu === undefined) return undefined;
  const own = new Set((await accounts()).map(({ id }) => id));
  return (await core.ask(askAccounts(otherPsu))).find(({ id }) => !own.has(id));
}

async function firstAccount(scene: KitScene): Promise<Account> {
  const [account] = await scene.accounts();
  requireSo(account !== undefined, "the PSU has no account");
  return account;
}
