import { parseAccountId, parseCurrencyCode, parseIban, parsePsuId } from "@cobs/cobs-model";
import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { findExchange } from "../../../packages/auth/src/approval/find-exchange.ts";
import type { PsuAccount, PsuAccounts } from "../../../packages/auth/src/bank/psu-accounts.ts";
import { SEPA_ORDER } from "./sample-orders.ts";

const PSU = parsePsuId("jana");
const CALL = { requestId: "r1", traceContext: undefined };
const { fee: _fee, feeCurrency: _feeCurrency, ...FREE } = SEPA_ORDER;

const ACCOUNT: PsuAccount = {
  id: parseAccountId("a1"),
  iban: parseIban(FREE.debtorIban),
  number: null,
  bankCode: null,
  currency: parseCurrencyCode("EUR"),
  names: null,
  products: null,
};

/** Nobody may be asked. */
const unasked: PsuAccounts = {
  accountsOf: async () => {
    throw new TypeError("resource is asked");
  },
};

describe("Whether the bank converts the amount of an order", () => {
  it("is known without resource when the order names the account's currency or the fee's", async () => {
    const rows = [
      [{ ...FREE, debtorCurrency: "CZK" }, "made"],
      [{ ...FREE, debtorCurrency: "EUR" }, "none"],
      [{ ...FREE, fee: "15.00", feeCurrency: "CZK" }, "made"],
      [{ ...FREE, fee: "0.50", feeCurrency: "EUR" }, "none"],
      [{ ...FREE, fee: "0.50", feeCurrency: "CZK", debtorCurrency: "EUR" }, "none"],
    ] as const;
    for (const [says, exchange] of rows)
      expect(await findExchange(unasked, { psu: PSU, says }, CALL)).to.equal(exchange);
  });

  it("is otherwise known from the accounts that resource lists", async () => {
    const accountsOf = async () => [ACCOUNT];
    expect(await findExchange({ accountsOf }, { psu: PSU, says: FREE }, CALL)).to.equal("none");
  });

  it("is unknown when resource hangs, for which the page waits only briefly", async () => {
    const hanging: PsuAccounts = {
      accountsOf: (_psu, _onBehalf, givenUp) =>
        new Promise((_resolve, reject) => {
          givenUp?.addEventListener("abort", () =>
            reject(new PrivateServiceUnavailable("resource", { cause: givenUp.reason })),
          );
        }),
    };
    expect(await findExchange(hanging, { psu: PSU, says: FREE }, CALL)).to.equal("unknown");
  });
});
