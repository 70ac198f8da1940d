import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import { type Bank, type OrderOutcome, type OrderToExecute, provesApproval } from "@cobs/resource/sandbox";
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import {
  presentAccounts,
  presentBalances,
  presentFunds,
  presentInspection,
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
    question(ACCOUNTS, async ({ parameters }) =>
      presentAccounts(await bank.accountsOf(parsePsuId(parameters.psuId))),
    ),
    question(`${ACCOUNT}/balances`, async (call) =>
      presentBalances(await bank.balancesOf({ ...accountOf(call), currency: readCurrency(call.query) })),
    ),
    question(`${ACCOUNT}/transactions`, async (call) => {
      const wanted = readWantedTransactions(call.query);
      return presentTransactions(await bank.listTransactions({ ...accountOf(call), ...wanted }));
    }),
    question("/terms", () => bank.terms()),
    question(ORDER, async ({ parameters }) =>
      presentProgress(await bank.progressOf(readPaymentId(parameters.paymentId))),
    ),
    route("PUT", ORDER, ({ parameters, body }) =>
      execute(bank, readOrderToExecute(parameters.paymentId, body)),
    ),
    route("POST", "/order-inspections", async ({ body }) =>
      presentInspection(await bank.inspectOrder(readOrderToInspect(body))),
    ),
    route("POST", "/funds-checks", async ({ body }) =>
      presentFunds(await bank.hasFunds(readFundsQuestion(body))),
    ),
  ];
}

/** Whoever changed an order on its way here has not changed what the PSU approved. */
async function execute(bank: Bank, order: OrderToExecute): Promise<OrderOutcome> {
  if (!provesApproval(order)) return { outcome: "rejected", reason: "digest_mismatch" };
  return bank.acceptOrder(order);
}

type Reading = (call: IncomingCall) => Promise<object>;

function question(path: string, read: Reading): Route {
  return { method: "GET", path, body: "none", handle: handling(read) };
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
