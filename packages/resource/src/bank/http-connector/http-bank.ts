/**
 * The HTTP connector: a bank that is a core system behind the contract in `core-contract/openapi.json`. This folder owns
 * asking it, checking its answers, and giving up in time. What the answers mean to a TPP is decided elsewhere.
 *
 * Nothing of a PSU is remembered between two questions, so an account that the PSU has lost is never shown again. Only the
 * bank's terms are, for a minute.
 */
import type { Balance, CurrencyCode } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";
import type { Bank } from "../bank.ts";
import type { CoreClient } from "./core-client.ts";
import { askAccounts, askBalances, askTransactions } from "./core-questions.ts";
import { listInMemory } from "./list-in-memory.ts";
import { askFunds, askInspection, askProgress, askTerms, sendOrder } from "./order-questions.ts";
import { rememberTerms } from "./remember-terms.ts";

/**
 * Makes a bank of a core system. Every method throws `CoreUnavailable` when the core system gives no answer that can be
 * believed.
 */
export function openHttpBank(
  core: Pick<CoreClient, "ask">,
  clock: Pick<Clock, "monotonicMilliseconds">,
): Bank {
  return {
    accountsOf: (psu) => core.ask(askAccounts(psu)),
    listAccounts: async (request) => listInMemory(await core.ask(askAccounts(request.psu)), request),
    currenciesOf: async (of) => currenciesIn(await core.ask(askBalances({ ...of, currency: undefined }))),
    balancesOf: (request) => core.ask(askBalances(request)),
    listTransactions: (request) => core.ask(askTransactions(request)),
    terms: rememberTerms(() => core.ask(askTerms()), clock),
    inspectOrder: (wanted) => core.ask(askInspection(wanted)),
    acceptOrder: (order) => core.ask(sendOrder(order)),
    progressOf: (paymentId, purpose) =>
      core.ask({ ...askProgress(paymentId), counts: purpose !== "recheck" }),
    hasFunds: (question) => core.ask(askFunds(question)),
  };
}

/** The currencies of an account, from its balances: it has one in each currency, the main one first. */
function currenciesIn(balances: readonly Balance[]): readonly CurrencyCode[] {
  return [...new Set(balances.map(({ amount }) => amount.currency))];
}
