/** The routes of the bank listener for the bank's own services, under the private CA. */
import { type Account, parsePsuId } from "@cobs/cobs-model";
import { type BankCallers, type Route, requireBankCaller } from "@cobs/service-edge";
import type { AccountBank } from "../bank/bank.ts";

/** Creates the routes for the bank's own services; every caller needs the right of its route. */
export function createBankRoutes(bank: AccountBank, callers: BankCallers): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/bank/psus/:psuId/accounts",
      handle: async (call) => {
        const caller = requireBankCaller(callers, call.presentedCertificate, "accounts");
        const accounts = await bank.accountsOf(parsePsuId(call.parameters.psuId));
        return { status: 200, json: { accounts: accounts.map(presentAccount) }, facts: { caller } };
      },
    },
  ];
}

/** Presents an account as auth shows it to its PSU; an unknown PSU simply has none. */
function presentAccount({ id, iban, number, servicer, currency, names, products }: Account) {
  return { id, iban, number, bankCode: servicer.bankCode, currency, names, products };
}
