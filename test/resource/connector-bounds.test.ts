import { BALANCE_TYPES } from "@cobs/cobs-model";
import { expect } from "chai";
import { UnbelievableAnswer } from "../../packages/resource/src/bank/http-connector/json-members.ts";
import { parseAccounts } from "../../packages/resource/src/bank/http-connector/parse-accounts.ts";
import { parseBalances } from "../../packages/resource/src/bank/http-connector/parse-balances.ts";
import { parseOutcome } from "../../packages/resource/src/bank/http-connector/parse-orders.ts";
import { SAMPLE_ACCOUNT, SAMPLE_BALANCE } from "./connector/sample-answers.ts";

/** Every kind of balance in fifty currencies. */
const MOST_BALANCES = 200;

/** So many balances, of which none is of the kind and the currency of another. */
const manyBalances = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const place = Math.floor(at / BALANCE_TYPES.length);
    const currency = `Q${[Math.floor(place / 26), place % 26].map((letter) => String.fromCharCode(65 + letter)).join("")}`;
    const type = BALANCE_TYPES[at % BALANCE_TYPES.length];
    return { ...SAMPLE_BALANCE, type, amount: { value: "1.00", currency }, creditLine: null };
  });

describe("bounds of a core system's answers", () => {
  it("allow a credit line of zero", () => {
    const creditLine = { included: true, amount: { value: "0.00", currency: "CZK" } };
    const [read] = parseBalances({ balances: [{ ...SAMPLE_BALANCE, creditLine }] }, undefined);
    expect(read?.creditLine).to.deep.equal({ included: true, amount: { minor: 0n, currency: "CZK" } });
  });

  it("allow two hundred balances, and no more", () => {
    const read = (count: number) => parseBalances({ balances: manyBalances(count) }, undefined);
    expect(read(MOST_BALANCES)).to.have.length(MOST_BALANCES);
    expect(() => read(MOST_BALANCES + 1)).to.throw(UnbelievableAnswer, "balances has more than 200 members");
  });

  it("allow exactly four digits for a bank code", () => {
    const read = (bankCode: string) => {
      const servicer = { ...SAMPLE_ACCOUNT.servicer, bankCode };
      return parseAccounts({ accounts: [{ ...SAMPLE_ACCOUNT, servicer }] })[0]?.servicer.bankCode;
    };
    expect(read("9900")).to.equal("9900");
    for (const code of ["99000", "19900", "990", "9900\n"])
      expect(() => read(code), code).to.throw("accounts[0].servicer.bankCode must be four digits");
  });

  it("keep a rejection reason with digits that may be of an account out of the log", () => {
    const told = (reason: string) => parseOutcome({ outcome: "rejected", reason });
    const rejected = { outcome: "rejected", reason: "other" };
    expect(told("REF12345")).to.deep.equal({ ...rejected, ownWord: "REF12345" });
    expect(told("REF123456")).to.deep.equal({ ...rejected, ownWord: "(not a code)" });
  });

  it("keep a rejection reason that is not text out of the log", () => {
    for (const reason of [true, 7, ["REF"], { toString: "REF" }])
      expect(parseOutcome({ outcome: "rejected", reason })).to.deep.equal({
        outcome: "rejected",
        reason: "other",
        ownWord: "(not a code)",
      });
  });

  it("tell a rejection without a reason from one whose reason may not be logged", () => {
    for (const reason of [undefined, null])
      expect(parseOutcome({ outcome: "rejected", reason })).to.have.property("ownWord", "(none)");
  });
});
