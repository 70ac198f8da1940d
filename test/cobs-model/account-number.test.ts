import {
  ContentRefusal,
  findCzechIbanParts,
  makeCzechIban,
  parseCzechAccountNumber,
  parseIban,
  presentCzechAccountNumber,
  presentIban,
} from "@cobs/cobs-model";
import { expect } from "chai";
import fc from "fast-check";

function refusedCode(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ContentRefusal) return error.faults.map(({ code }) => code).join();
    throw error;
  }
  return "accepted";
}

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((each) => each.join(""));

describe("the parser of Czech account numbers (Decree 169/2011 Coll.)", () => {
  for (const number of ["2000000018", "19-2000000034", "2000145399", "123457-9876543211", "19", "19-27"]) {
    it(`accepts ${number}`, () => {
      expect(parseCzechAccountNumber(number)).to.equal(number);
    });
  }

  it("drops leading zeros, so that each account has one spelling", () => {
    expect(parseCzechAccountNumber("000019-2000000034")).to.equal("19-2000000034");
    expect(parseCzechAccountNumber("000000-2000000018")).to.equal("2000000018");
    expect(parseCzechAccountNumber("100001-2000000018")).to.equal("100001-2000000018");
    for (const base of ["100001", "0000100001"]) {
      expect(parseCzechAccountNumber(base)).to.equal("100001");
      expect(parseCzechAccountNumber(`19-${base}`)).to.equal("19-100001");
    }
  });

  const refused: readonly (readonly [unknown, string])[] = [
    ["2000000019", "the base fails modulo 11"],
    ["18-2000000034", "the prefix fails modulo 11"],
    ["0000000000", "the base has fewer than two digits that are not zero"],
    ["9-2000000034", "the prefix has one digit"],
    ["0-2000000018", "the prefix has one digit, though it says nothing"],
    ["20000000180", "the base has eleven digits"],
    ["2000000018/9900", "the bank code belongs elsewhere"],
    [" 2000000018", "of a space"],
    ["2000000018\n", "of a line end"],
    [2000000018, "it is no string"],
    [undefined, "it is absent"],
  ];
  for (const [value, why] of refused) {
    it(`refuses ${JSON.stringify(value)}, because ${why}`, () => {
      expect(refusedCode(() => parseCzechAccountNumber(value))).to.equal("FIELD_INVALID");
    });
  }

  it("detects every single wrong digit of the base", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 }), (place, added) => {
        const base = [..."2000145399"].map(Number);
        base[place] = ((base[place] ?? 0) + added) % 10;
        expect(refusedCode(() => parseCzechAccountNumber(base.join("")))).to.equal("FIELD_INVALID");
      }),
    );
  });

  it("yields either a number or a refusal, whatever the input", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(refusedCode(() => parseCzechAccountNumber(value))).to.be.oneOf(["accepted", "FIELD_INVALID"]);
      }),
    );
  });

  it("has a formatter for people that adds the bank code", () => {
    const number = parseCzechAccountNumber("19-2000000034");
    expect(presentCzechAccountNumber(number, "9900")).to.equal("19-2000000034/9900");
  });
});

describe("the IBAN parser (ISO 13616)", () => {
  for (const iban of ["CZ3299000000002000000018", "CZ7199000000192000000034", "CZ6508000000192000145399"]) {
    it(`accepts ${iban} and finds its parts`, () => {
      const parsed = parseIban(iban);
      const parts = findCzechIbanParts(parsed);
      expect(parts && makeCzechIban(parts.bankCode, parts.number)).to.equal(iban);
    });
  }

  it("checks IBANs of other countries by the checksum alone", () => {
    expect(parseIban("DE89370400440532013000")).to.equal("DE89370400440532013000");
    expect(findCzechIbanParts(parseIban("DE89370400440532013000"))).to.equal(undefined);
  });

  it("accepts an IBAN of 34 characters, the maximum", () => {
    expect(parseIban("DE75111111111111111111111111111111")).to.have.length(34);
  });

  const refused: readonly (readonly [string, string])[] = [
    ["CZ0708000000001019540081", "it fails modulo 97 (COBS prints it, A-78)"],
    ["AT872011102000123456", "it fails modulo 97 (COBS prints it, A-78)"],
    ["CZ690710178124000000415", "it is one digit short (COBS prints it, A-78)"],
    ["CZ709900000002000000018", "it is one digit short, though modulo 97 holds"],
    ["CZ40990000000002000000018", "it is one digit long, though modulo 97 holds"],
    ["CZ3299000000002000000019", "of a wrong check digit"],
    ["CZ32 9900 0000 0020 0000 0018", "of spaces"],
    ["cz3299000000002000000018", "of small letters"],
    ["DE00370400440532013050", "check digits are not below 02, though modulo 97 holds"],
    ["DE01370400440532013032", "check digits are not below 02, though modulo 97 holds"],
    ["DE99370400440532013014", "check digits are not above 98, though modulo 97 holds"],
    ["", "it is empty"],
    ["AA75", "it has no account number, though modulo 97 holds"],
    ["D28370400440532013000", "its country has one letter, though modulo 97 holds"],
    ["DE111111111111111111111111111111111", "it has 35 characters, though modulo 97 holds"],
  ];
  for (const [value, why] of refused) {
    it(`refuses ${value}, because ${why}`, () => {
      expect(refusedCode(() => parseIban(value))).to.equal("FIELD_INVALID");
    });
  }

  it("refuses a Czech IBAN whose account number fails modulo 11 although modulo 97 holds", () => {
    // 98 - (9900 000000 2000000019 with CZ00) mod 97, worked out apart from the code.
    const national = "99000000002000000019";
    const check = 98n - (BigInt(`${national}123500`) % 97n);
    expect(refusedCode(() => parseIban(`CZ${String(check).padStart(2, "0")}${national}`))).to.equal(
      "FIELD_INVALID",
    );
  });

  it("recovers the bank code and account number from any IBAN made of them", () => {
    fc.assert(
      fc.property(digits(4), digits(10), (bankCode, base) => {
        if (refusedCode(() => parseCzechAccountNumber(base)) !== "accepted") return;
        const number = parseCzechAccountNumber(base);
        expect(findCzechIbanParts(makeCzechIban(bankCode, number))).to.deep.equal({ bankCode, number });
      }),
      { numRuns: 500 },
    );
  });

  it("yields either an IBAN or a refusal, whatever the input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string()), (value) => {
        expect(refusedCode(() => parseIban(value))).to.be.oneOf(["accepted", "FIELD_INVALID"]);
      }),
    );
  });

  it("has a formatter for people that groups four characters", () => {
    expect(presentIban(parseIban("CZ3299000000002000000018"))).to.equal("CZ32 9900 0000 0020 0000 0018");
    expect(presentIban(parseIban("DE89370400440532013000"))).to.equal("DE89 3704 0044 0532 0130 00");
  });
});
