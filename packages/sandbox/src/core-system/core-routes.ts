import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import type { Bank } from "@cobs/resource/sandbox";
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import {
  presentAccounts,
  presentBalances,
  presentFunds,
  presentInspection,
  presentOutcome,
  presentProgress,
  presentTransactions,
} from "./present-core-answer.ts";
import {
  readFundsQuestion,
  readOrderToExecute,
  readOrderToInspect,
  readPaymentId,
} from "./read-core-order.ts";
import { readCurrency, readWantedTransactions } from "./read-core-query.ts";

const ACCOUNTS = "/psus/:psuId/accounts";
const ACCOUNT = `${ACCOUNTS}/:accountId`;
const ORDER = "/orders/:paymentId";

/** The routes of the contract between resource and a core system, answered by a bank. */
export function createCoreRoutes(bank: Bank): readonly Route[] {
  return [
    question(ACCOUNTS, async ({ parameters }) => {
      const psu = parsePsuId(parameters.psuId);
      return presentAccounts(psu, await bank.accountsOf(psu));
    }),
    question(`${ACCOUNT}/balances`, async (call) => {
      const of = accountOf(call);
      return presentBalances(of, await bank.balancesOf({ ...of, currency: readCurrency(call.query) }));
    }),
    question(`${ACCOUNT}/transactions`, async (call) => {
      const of = accountOf(call);
      const wanted = readWantedTransactions(call.query);
      return presentTransactions(of, await bank.listTransactions({ ...of, ...wanted }));
    }),
    question("/terms", () => bank.terms()),
    question(ORDER, async ({ parameters }) => {
      const paymentId = readPaymentId(parameters.paymentId);
      return presentProgress(paymentId, await bank.progressOf(paymentId));
    }),
    route("PUT", ORDER, async ({ parameters, body }) => {
      const order = readOrderToExecute(parameters.paymentId, body);
      return presentOutcome(order.paymentId, await bank.acceptOrder(order));
    }),
    route("POST", "/order-inspections", async ({ body }) => {
      const wanted = readOrderToInspect(body);
      return presentInspection(wanted, await bank.inspectOrder(wanted));
    }),
    route("POST", "/funds-checks", async ({ body }) => {
      const asked = readFundsQuestion(body);
      return presentFunds(asked, await bank.hasFunds(asked));
    }),
  ];
}

type Reading = (call: IncomingCall) => Promise<object>;

function question(path: string, read: Reading): Route {
  return { method: "GET", path, handle: handling(read) };
}

function route(method: "PUT" | "POST", path: string, read: Reading): Route {
  return { method, path, body: "json", handle: handling(read) };
}

function handling(read: Reading): Route["handle"] {
  return async (call): Promise<Answer> => ({ status: 200, json: await read(call) });
}

function accountOf({ parameters }: IncomingCall) {
  return { psu: parsePsuId(parameters.psuId), account: parseAccountId(parameters.accountId) };
}
