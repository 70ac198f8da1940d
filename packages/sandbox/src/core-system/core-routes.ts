import { parseAccountId, parsePsuId } from "@cobs/cobs-model";
import type { AccountBank } from "@cobs/resource/sandbox";
import type { Answer, IncomingCall, Route } from "@cobs/service-edge";
import { presentAccounts, presentBalances, presentTransactions } from "./present-core-answer.ts";
import { readCurrency, readWantedTransactions } from "./read-core-query.ts";

const ACCOUNTS = "/psus/:psuId/accounts";
const ACCOUNT = `${ACCOUNTS}/:accountId`;

/** The routes of the contract between resource and a core system, answered by a bank. */
export function createCoreRoutes(bank: AccountBank): readonly Route[] {
  return [
    route(ACCOUNTS, async ({ parameters }) =>
      presentAccounts(await bank.accountsOf(parsePsuId(parameters.psuId))),
    ),
    route(`${ACCOUNT}/balances`, async (call) =>
      presentBalances(await bank.balancesOf({ ...accountOf(call), currency: readCurrency(call.query) })),
    ),
    route(`${ACCOUNT}/transactions`, async (call) => {
      const wanted = readWantedTransactions(call.query);
      return presentTransactions(await bank.listTransactions({ ...accountOf(call), ...wanted }));
    }),
  ];
}

function route(path: string, read: (call: IncomingCall) => Promise<object>): Route {
  const handle = async (call: IncomingCall): Promise<Answer> => ({ status: 200, json: await read(call) });
  return { method: "GET", path, body: "none", handle };
}

function accountOf({ parameters }: IncomingCall) {
  return { psu: parsePsuId(parameters.psuId), account: parseAccountId(parameters.accountId) };
}
