import { type Balance, parseCurrencyCode, presentBalances } from "@cobs/cobs-model";
import { expect } from "chai";

const CZK = parseCurrencyCode("CZK");
const inCzk = (minor: bigint) => ({ minor, currency: CZK });

const AVAILABLE: Balance = {
  type: "CLAV",
  amount: inCzk(3_512_040n),
  creditLine: { included: true, amount: inCzk(1_000_000n) },
  at: "2024-05-02T12:15:00.000+02:00",
};

describe("the document of balances (COBS 3.1.4)", () => {
  it("has exactly the members of the standard, in the order given", () => {
    const closed: Balance = { type: "PRCD", amount: inCzk(2_512_040n), creditLine: null, at: "2024-05-02" };
    expect(presentBalances([AVAILABLE, closed])).to.deep.equal({
      balances: [
        {
          type: { codeOrProprietary: { code: "CLAV" } },
          creditLine: { included: true, amount: { value: 10_000, currency: "CZK" } },
          amount: { value: 35_120.4, currency: "CZK" },
          creditDebitIndicator: "CRDT",
          date: { dateTime: "2024-05-02T12:15:00.000+02:00" },
        },
        {
          type: { codeOrProprietary: { code: "PRCD" } },
          amount: { value: 25_120.4, currency: "CZK" },
          creditDebitIndicator: "CRDT",
          date: { dateTime: "2024-05-02" },
        },
      ],
    });
  });

  for (const [minor, value, indicator] of [
    [1n, 0.01, "CRDT"],
    [0n, 0, "CRDT"],
    [-1n, 0.01, "DBIT"],
    [-99_999_999_999_999_999n, { exactNumber: "999999999999999.99" }, "DBIT"],
  ] as const) {
    it(`writes ${minor} minor units unsigned, with ${indicator} (3.1.4)`, () => {
      const [balance] = presentBalances([{ ...AVAILABLE, amount: inCzk(minor) }]).balances;
      expect(balance?.amount).to.deep.equal({ value, currency: "CZK" });
      expect(balance?.creditDebitIndicator).to.equal(indicator);
    });
  }

  for (const [at, told] of [
    ["2024-05-02", "2024-05-02"],
    ["2024-05-02T10:15Z", "2024-05-02T10:15:00.000Z"],
    ["2024-05-02T10:15-03:30", "2024-05-02T10:15:00.000-03:30"],
    ["2024-05-02T10:15:30Z", "2024-05-02T10:15:30.000Z"],
    ["2024-05-02T10:15:30.5+02:00", "2024-05-02T10:15:30.5+02:00"],
    ["2024-05-02T10:15:30.123456789+02:00", "2024-05-02T10:15:30.123456789+02:00"],
  ] as const)
    it(`writes ${at} as ${told} (3.1.4)`, () => {
      expect(presentBalances([{ ...AVAILABLE, at }]).balances[0]?.date).to.deep.equal({ dateTime: told });
    });

  it("has an empty array if there is no balance, never null (PDF 1.2.3)", () => {
    expect(presentBalances([])).to.deep.equal({ balances: [] });
  });
});
