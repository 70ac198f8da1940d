import { readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { processorTime } from "../../support/processor-time.ts";
import { changedPayment, NOW, TERMS } from "./sample-payments.ts";

const NUMBER = "creditorAccount.identification.other.identification";
/** In milliseconds; if its steps doubled with each sign, it would be minutes. */
const LONGEST_READING = 100;
const SIGNS = [..."/-?:().,'+ "];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const DIGITS = [..."0123456789"];

const messageOf = (text: string) =>
  readPaymentOrder(changedPayment("outside-eea", NUMBER, text), TERMS, NOW).faults[0]?.message;

const textOf = (characters: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { maxLength }).map((each) => each.join(""));

const digits = (minLength: number, maxLength = minLength) =>
  fc.array(fc.constantFrom(...DIGITS), { minLength, maxLength }).map((each) => each.join(""));

describe("a payee's number that is not an IBAN (COBS 4.12.1.2)", () => {
  it("is refused if a person would read it as the IBAN of another account (RTS Article 5)", () => {
    for (const text of [
      "CZ65 0800 0000 1920 0014 5399",
      "CZ6508000000192000145399",
      "IBAN CZ65 0800 0000 1920 0014 5399",
      "cz65-0800-0000-1920-0014-5399",
      "CZ65 O8OO OOOO 192O OO14 5399",
      "CZ6S 0800 0000 l920 00l4 S399",
      "NL9l ABNA O4l7 1643 OO",
      "Konto CZ6508000000192000145399",
      "CZ6508000000192000145399 (CZK)",
      "IBANCZ6508000000192000145399",
      "CZG5 0B00 QQ00 I9Z0 00L4 S399",
      "CZ6508000000192000145399 1",
      "1. CZ6508000000192000145399",
      "c.1: CZ6508000000192000145399",
      "CZ65 0800 0000 1920 0014 5399 01",
      "CZ/65-0800.0000,1920 (0014) 5399",
      "A1CZ6508000000192000145399B2",
      "1 DE89 3704 0044 0532 0130 00 2",
      "MT84MALT011000012345MTLCAST001S 1",
      "HK6508000000192000145399",
      "C265 0800 0000 1920 0014 5399",
    ])
      expect(messageOf(text), text).to.equal(`${NUMBER} looks like an IBAN: send it in iban`);
    for (const text of [
      "CZ65 0800 0000 1920 0014 5398",
      "CZ65 0800 0000 1920 0014 539",
      "0800 0000 1920",
      "65 0800 0000 1920 0014 5399",
      "GB 20-00-00 55779912",
      "DE89370400440532013001",
      "DE523704004405320130001234567",
      "AT71ABCDEFGHIJKLMNOP",
    ])
      expect(messageOf(text), text).to.equal(undefined);
  });

  it("is refused if a person in Czechia would read it as another account (RTS Article 5)", () => {
    for (const text of [
      "19-2000145399/0800",
      "000019-2000145399/0800",
      "192000145399/0800",
      "0000192000145399/0800",
      "2000145399/0800",
      "19-100001/0800",
      "100001/0800",
      "19 - 2000 145 399 / 0800",
      "l9-2OOO145399/O8OO",
      "Cislo uctu 19-2000145399/0800 CZK",
      "Konto: 2OOO 145 399/0800/CZK",
      "u/2000145399/0800",
      "ucet/19-2000145399/0800",
      "c. 1/ 2000145399/0800",
      "19--2000145399/0800",
      "19-2000-145399/0800",
      "1) 2000145399/0800",
      "18-2000145399/0800",
      "ucet2000145399/0800",
      "A2000145399/0800",
      "ctl.2000145399/0800",
      "Z00014S399/0B00",
      "1000-01/0800",
      "2000145399/08-00",
      "2000145399/0800CZK",
      "2000145399/0800 1",
      "2000145398/0800/2000145399/0800",
    ])
      expect(messageOf(text), text).to.equal(
        `${NUMBER} looks like a Czech account number: send its IBAN in iban`,
      );
    for (const text of [
      "19-2000145398/0800",
      "2000145399/08001",
      "2000145399/080",
      "2000145399-0800",
      "19-12000145399/0800",
      "1000/0800",
      "00001912000145399/0800",
      "000019-12000145399/0800",
      "92000145399/0800",
      "A0/0800",
      "Konto/0800",
      "0/0800",
    ])
      expect(messageOf(text), text).to.equal(undefined);
  });

  it("is refused if it is the IBAN of an account with any characters before and after it", () => {
    const around = textOf([...SIGNS, ...LETTERS, ...DIGITS], 5);
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(messageOf(`${before}CZ6508000000192000145399${after}`)).to.include("looks like an IBAN");
      }),
      { numRuns: 500 },
    );
  });

  it("is refused if it is a Czech account with any characters before and after it, except more digits", () => {
    const numbers = ["2000145399/0800", "19-2000145399/0800", "19 2000.145.399 / 08 00", "192000145399/0800"];
    const around = textOf([...SIGNS, ...LETTERS, ...DIGITS], 5);
    fc.assert(
      fc.property(fc.constantFrom(...numbers), around, around, (number, before, after) => {
        const text = `${before.replace(/\d+$/, "")}${number}${after.replace(/^\d+/, "")}`;
        // With what is around it, it may look like a foreign IBAN too.
        expect(messageOf(text)).to.match(/looks like (?:a Czech account number|an IBAN)/);
      }),
      { numRuns: 500 },
    );
  });

  it("may be an account of the usual forms in the United States, the United Kingdom and Hong Kong", () => {
    const joined = (separator: string, ...parts: readonly fc.Arbitrary<string>[]) =>
      fc.tuple(...parts).map((each) => each.join(separator));
    const sortCode = joined("-", digits(2), digits(2), digits(2));
    const forms = [
      digits(4, 17),
      joined(" ", digits(9), digits(4, 17)),
      joined(" ", fc.constant("ABA"), digits(9), fc.constant("ACCT"), digits(4, 12)),
      joined(" ", sortCode, digits(8)),
      joined(" ", digits(6), digits(8)),
      joined(" ", fc.constant("SC"), sortCode, fc.constant("A/C"), digits(8)),
      joined("-", digits(3), digits(6, 12)),
      joined("-", digits(3), digits(3), digits(6, 9)),
      joined("-", digits(3), digits(6), digits(3)),
    ];
    fc.assert(
      fc.property(fc.oneof(...forms), (number) => {
        expect(messageOf(number)).to.equal(undefined);
      }),
      { numRuns: 1000 },
    );
  });

  it("is read quickly, whatever signs and letters that look like digits are in it", async () => {
    const texts = ["-".repeat(28), "O".repeat(28), "- O".repeat(9)].map((each) => `${each}A/0800`);
    const read = async () => texts.map(messageOf);
    expect(await read()).to.deep.equal(texts.map(() => undefined));
    expect(await processorTime(read, LONGEST_READING)).to.be.below(LONGEST_READING);
  });
});
