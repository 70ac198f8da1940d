import { readBalanceCheck } from "@cobs/cobs-model";
import { expect } from "chai";
import { faultsBySchema } from "./check-answer.ts";

const QUESTION = {
  debtorAccount: { identification: { iban: "CZ3299000000002000000018" } },
  transactionDetails: { currency: "CZK", totalAmount: 1200 },
};

describe("the schemas of what is sent, and what is read of it", () => {
  it("take the same numbers as the id of a question (COBS 3.2.3, A-74)", () => {
    for (const exchangeIdentification of [-1, 0, 1, 1.5, 999_999_999_999_999, 1e17, 1e18]) {
      const question = { ...QUESTION, exchangeIdentification };
      const told = faultsBySchema("#/components/schemas/BalanceCheckQuestion", question);
      const { faults } = readBalanceCheck(question);
      expect(told.length > 0, String(exchangeIdentification)).to.equal(faults.length > 0);
    }
  });
});
