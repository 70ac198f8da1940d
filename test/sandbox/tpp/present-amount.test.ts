import { expect } from "chai";
import { keepNumber } from "../../../packages/cobs-model/src/money.ts";
import { presentToldAmount } from "../../../packages/sandbox/src/tpp/present-amount.ts";

describe("Amount on the terminal", () => {
  for (const [value, currency, creditDebitIndicator, text] of [
    [1250, "CZK", "DBIT", "-1,250.00 CZK"],
    [0.5, "EUR", "CRDT", "0.50 EUR"],
    [1250, "JPY", "CRDT", "1,250 JPY"],
    [1250.5, "KWD", "CRDT", "1,250.500 KWD"],
    [keepNumber("999999999999999.99"), "USD", "CRDT", "999,999,999,999,999.99 USD"],
    [12.3, "??", "CRDT", "12.3 ??"],
  ] as const)
    it(`is ${text}`, () => {
      expect(presentToldAmount({ amount: { value, currency }, creditDebitIndicator })).to.equal(text);
    });
});
