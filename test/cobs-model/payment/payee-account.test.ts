import { readPaymentOrder } from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";
import { processorTime } from "../../support/processor-time.ts";
import { changedPayment, NOW, TERMS } from "./sample-payments.ts";

const IBAN = "creditorAccount.identification.iban";
const NUMBER = "creditorAccount.identification.other.identification";
/** In milliseconds; if its steps doubled with each sign, it would be minutes. */
const LONGEST_READING = 100;
const SIGNS = [..."/-?:().,'+ "];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const DIGITS = [..."0123456789"];

const messageOf = (text: string, path = NUMBER) =>
  readPaymentOrder(changedPayment("outside-eea", path, text), TERMS, NOW).faults[0]?.message;

const textOf = (characters: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { maxLength }).map((each) => each.join(""));

const digits = (minLength: number, maxLength = minLength) =>
  fc.array(fc.constantFrom(...DIGITS), { minLength, maxLength }).map((each) => each.join(""));

/** Table: the example of each country in the IBAN Registry whose IBANs have letters, and of some others. */
const REGISTERED =
  `AD1200012030200359100100 AL47212110090000000235698741 AT611904300234573201 AZ21NABZ00000000137010001944
  BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456 BR1800360305000010009795493C1
  BY13NBRB3600900000002Z00AB00 CH9300762011623852957 CY17002001280000001200527600 CZ6508000000192000145399
  DE89370400440532013000 DO28BAGR00000001212453611324 FR1420041010050500013M02606 GB29NWBK60161331926819
  GE29NB0000000101904917 GI75NWBK000000007099453 GR1601101250000000012300695 GT82TRAJ01020000001210029690
  IE29AIBK93115212345678 IQ98NBIQ850123456789012 IT60X0542811101000000123456 JO94CBJO0010000000000131000302
  KW81CBKU0000000000001234560101 KZ86125KZT5004100100 LB62099900000001001901229114
  LC55HEMM000100010012001200023015 LI21088100002324013AA LU280019400644750000 LV80BANK0000435195001
  MC5811222000010123456789030 MD24AG000225100013104168 MK07250120000058984 MT84MALT011000012345MTLCAST001S
  MU17BOMM0101101030300200000MUR NL91ABNA0417164300 NO9386011117947 PK36SCBL0000001123456702
  PS92PALS000000000400123456702 QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 SA0380000000608010167519
  SC18SSCB11010000000000001497USD SE4550000000058398257466 SK3112000000198742637541 SM86U0322509800000000270100
  SV62CENR00000000000000700025 TR330006100519786457841326 UA213223130000026007233566001 VA59001123000012345678
  VG96VPVG0000012345678901 XK051212012345678906`.split(/\s+/);

describe("a payee's IBAN (COBS 4.9.1.1, ISO 13616)", () => {
  const sayOf = (iban: string) => messageOf(iban, IBAN)?.replace(`${IBAN} `, "");

  it("has the form that the IBAN Registry has for its country", () => {
    for (const iban of REGISTERED) expect(messageOf(iban, IBAN), iban).to.equal(undefined);
  });

  it("is refused if it begins with a country that has no IBANs, or with none", () => {
    for (const iban of [
      "HK6508000000192000145399",
      "KB6508000000192000145399",
      "GN65 0800 0000 1920 0014 5399",
    ])
      expect(sayOf(iban), iban).to.equal(
        `begins with ${iban.slice(0, 2)}, which has no IBANs: send the account number in other.identification`,
      );
  });

  it("is refused if it has not the length, the letters or the digits of its country", () => {
    for (const iban of ["DE523704004405320130001234567", "AT71ABCDEFGHIJKLMNOP"])
      expect(sayOf(iban), iban).to.equal(
        `does not have the form of IBANs that begin with ${iban.slice(0, 2)}`,
      );
  });

  it("is a number of its own kind where there are no IBANs", () => {
    for (const text of ["SN08SN0100152000048500003035", "HK 012-345678-838"])
      expect(messageOf(text), text).to.equal(undefined);
  });
});

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
    const read = async () => texts.map((text) => messageOf(text));
    expect(await read()).to.deep.equal(texts.map(() => undefined));
    expect(await processorTime(read, LONGEST_READING)).to.be.below(LONGEST_READING);
  });
});
