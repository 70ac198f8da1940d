import { keepNumber, presentDecimal, readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import { processorTime } from "../../support/processor-time.ts";
import { changedPayment, faultsOf, NOW, orderOf, TERMS, TYPES } from "./sample-payments.ts";

const VALUE = "amount.instructedAmount.value";
const CURRENCY = "amount.instructedAmount.currency";

/** In milliseconds; with a square of the digits it would be seconds. */
const LONGEST_READING = 500;

const exact = keepNumber;

/** Table: the largest amount of each type (COBS 3.2.4.1), and the next one. */
const LARGEST = {
  domestic: ["1000000000000.00", "1000000000000.01"],
  sepa: ["999999999.99", "1000000000.00"],
  "inside-eea": ["999999999999999.99", "1000000000000000.00"],
  "outside-eea": ["999999999999999.99", "1000000000000000.00"],
} as const;

/** 1500.5, with an exponent of four digits. */
const MOVED_FAR = `0.${"0".repeat(1000)}15005e1004`;

const decimalIn = (body: unknown) => presentDecimal(orderOf(body).amount);

for (const type of TYPES)
  describe(`the amount of a payment: ${type} (COBS 3.2.4.1)`, () => {
    const withValue = (value: unknown) => changedPayment(type, VALUE, value);
    const [largest, next] = LARGEST[type];

    it("is at least 0.01, and keeps every digit up to the maximum (A-70)", () => {
      for (const digits of ["0.01", "0.10", "1.00", "12345678.91", largest])
        expect(decimalIn(withValue(exact(digits)))).to.equal(digits);
    });

    it("may be a plain number", () => {
      expect(decimalIn(withValue(0.01))).to.equal("0.01");
      expect(decimalIn(withValue(123456.7))).to.equal("123456.70");
      expect(decimalIn(withValue(1e3))).to.equal("1000.00");
    });

    it("is refused quickly if it is far too long, however many zeros it has (AM12)", async () => {
      const read = async () => faultsOf(withValue(exact(`1.${"0".repeat(65_000)}1`)));
      expect(await read()).to.deep.equal([`AM12 ${VALUE}`]);
      expect(await processorTime(read, LONGEST_READING)).to.be.below(LONGEST_READING);
    });

    for (const value of [0, -0, -1, -0.01, exact("-5"), exact("0.00"), exact("-0"), exact("0e5"), 1e-7])
      it(`cannot be ${JSON.stringify(value)} (AM12)`, () => {
        expect(faultsOf(withValue(value))).to.deep.equal([`AM12 ${VALUE}`]);
      });

    for (const value of [0.001, 1.005, exact("0.009"), exact("1.0000000000000000001"), exact("1e-3")])
      it(`has at most two decimals, so it cannot be ${JSON.stringify(value)} (AM12)`, () => {
        expect(faultsOf(withValue(value))).to.deep.equal([`AM12 ${VALUE}`]);
      });

    for (const value of [exact(next), 1e21, 1e300, exact("9e400"), exact("1e99999"), exact("9".repeat(500))])
      it(`cannot exceed the maximum: ${JSON.stringify(value).slice(0, 40)} (AM12)`, () => {
        expect(faultsOf(withValue(value))).to.deep.equal([`AM12 ${VALUE}`]);
      });

    for (const value of ["1500.50", true, [], [1], { value: 1 }, { exactNumber: "1.00" }])
      it(`must be a number, not ${JSON.stringify(value)}`, () => {
        expect(faultsOf(withValue(value))).to.deep.equal([`FIELD_INVALID ${VALUE}`]);
      });
  });

function faultsOfValue(value: unknown) {
  const now = new Date("2024-02-05T09:00:00Z");
  const { faults } = readPaymentOrder(changedPayment("outside-eea", VALUE, value), TERMS, now);
  return faults.map(({ message, parameters }) => ({ wrong: message.replace(`${VALUE} `, ""), parameters }));
}

describe("the amount of a payment", () => {
  it("is refused above the limit, which is given exactly (1.2.10.1)", () => {
    for (const value of [
      1e15,
      exact("1e999"),
      exact("1e1000"),
      exact(`0.${"0".repeat(999)}1e99999999999999999999`),
    ])
      expect(faultsOfValue(value)).to.deep.equal([
        {
          wrong: "is too large",
          parameters: { CURRENCY: "USD", LIMIT: { exactNumber: "999999999999999.99" } },
        },
      ]);
  });

  it("is refused with the right reason, whatever its exponent", () => {
    for (const digits of ["0.001", "1e-3", "1e-1000", `${"9".repeat(1000)}e-99999999999999999999`])
      expect(faultsOfValue(exact(digits))).to.deep.equal([
        { wrong: "must have at most 2 decimals", parameters: undefined },
      ]);
    for (const digits of ["0e1000", "-1e1000", "-1e-1000"])
      expect(faultsOfValue(exact(digits))).to.deep.equal([
        { wrong: "must be above zero", parameters: undefined },
      ]);
  });

  it("may have trailing zeros and an exponent", () => {
    for (const digits of ["1500.500", "1500.50000", "15005e-1", "1.5005E+3", "0.15005e4", MOVED_FAR])
      expect(decimalIn(changedPayment("sepa", VALUE, exact(digits)))).to.equal("1500.50");
  });

  it("has no more decimals than its currency, and at most two (ISO 4217, COBS 3.2.4.1)", () => {
    const inCurrency = (currency: string, value: unknown) => {
      const body = changedPayment("outside-eea", CURRENCY, currency);
      Object.assign(Object(body.amount).instructedAmount, { value });
      return body;
    };
    expect(faultsOf(inCurrency("JPY", 1000.5))).to.deep.equal([`AM12 ${VALUE}`]);
    expect(orderOf(inCurrency("JPY", 1000)).amount.minor).to.equal(1000n);
    expect(faultsOf(inCurrency("KWD", 1.234))).to.deep.equal([`AM12 ${VALUE}`]);
    expect(orderOf(inCurrency("KWD", 1.23)).amount.minor).to.equal(1230n);
  });

  it("must be in a currency that the bank offers, which the refusal lists (AM11, A-41)", () => {
    for (const currency of ["GBP", "XXQ"]) {
      const body = changedPayment("inside-eea", CURRENCY, currency);
      expect(faultsOf(body)).to.deep.equal([`AM11 ${CURRENCY}`]);
      const [fault] = readPaymentOrder(body, TERMS, NOW).faults;
      expect(fault?.parameters).to.deep.equal({ CURRENCY_ALLOWED: ["CZK", "EUR", "USD", "JPY", "KWD"] });
    }
  });

  it("must have a currency in the form of ISO 4217", () => {
    for (const currency of ["usd", "US", "USDX", 5, ["USD"]])
      expect(faultsOf(changedPayment("outside-eea", CURRENCY, currency))).to.deep.equal([
        `FIELD_INVALID ${CURRENCY}`,
      ]);
    const [fault] = readPaymentOrder(changedPayment("outside-eea", CURRENCY, "usd"), TERMS, NOW).faults;
    expect(fault?.message).to.equal(`${CURRENCY} must be a currency code of three capital letters`);
  });
});
