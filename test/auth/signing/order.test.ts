import { createHash } from "node:crypto";
import { expect } from "chai";
import { parseOrder } from "../../../packages/auth/src/signing/order.ts";
import { SigningRefusal } from "../../../packages/auth/src/signing/signing-refusal.ts";
import { canonicalOrder, DOMESTIC_ORDER, SEPA_ORDER } from "./sample-orders.ts";

function refusalOf(text: string): string {
  try {
    parseOrder(text);
    return "taken";
  } catch (error) {
    if (error instanceof SigningRefusal) return `${error.code}: ${error.message}`;
    throw error;
  }
}
const refusalWith = (changed: Readonly<Record<string, unknown>>) =>
  refusalOf(canonicalOrder({ ...DOMESTIC_ORDER, ...changed }));

describe("An order to be approved", () => {
  it("is read from canonical bytes, with their own SHA-256 (RFC 8785, RTS Article 5)", () => {
    for (const order of [SEPA_ORDER, DOMESTIC_ORDER]) {
      const text = canonicalOrder(order);
      const read = parseOrder(text);
      expect(read.says).to.deep.equal(order);
      expect(read.text).to.equal(text);
      expect(read.digest.toString("hex")).to.equal(createHash("sha256").update(text).digest("hex"));
    }
  });

  it("is refused in any bytes that are not canonical (RFC 8785 3.2)", () => {
    const text = canonicalOrder(DOMESTIC_ORDER);
    const others = [
      JSON.stringify(DOMESTIC_ORDER, undefined, 1),
      ` ${text}`,
      `${text}\n`,
      JSON.stringify(Object.fromEntries(Object.entries(DOMESTIC_ORDER).toReversed())),
      text.replace('"CZK"', '"\\u0043ZK"'),
      text.replace("{", '{"amount":"1.00",'),
      text.replace("{", '{"__proto__":{},'),
      `\uFEFF${text}`,
      `[${text}]`.repeat(2),
      "[".repeat(60_000),
      '"text"',
      "null",
      "",
      text.replace("Faktura", "Faktura \ud800"),
    ];
    for (const other of others) expect(refusalOf(other), other.slice(0, 40)).to.match(/^order_not_canonical/);
  });

  it("is refused with a member that the page would not show, and without one that it needs", () => {
    expect(refusalWith({ discount: "1.00" })).to.equal("order_malformed: discount is not a known member");
    for (const name of [
      "amount",
      "currency",
      "debtorIban",
      "priority",
      "instructionIdentification",
      "paymentId",
    ])
      expect(refusalWith({ [name]: undefined })).to.equal(`order_malformed: ${name} is missing`);
    expect(refusalWith({ creditorIban: undefined })).to.match(/exactly one of/);
    expect(refusalWith({ creditorNumber: "123456789" })).to.match(/exactly one of/);
    expect(refusalWith({ fee: "1.00" })).to.match(/must be given together/);
  });

  it("has amounts as decimal text alone, exact to the cent (PAY-11)", () => {
    const wrong = [
      "0.00",
      "-1.00",
      "1",
      "1.5",
      "1.005",
      "01.00",
      "1e3",
      "1,50",
      " 1.00",
      "+1.00",
      "١.00",
      "NaN",
    ];
    for (const amount of [...wrong, "1000000000000000.00", 1.5, null, ["1.00"], { value: "1.00" }])
      expect(refusalWith({ amount }), String(amount)).to.equal("order_malformed: amount is invalid");
    for (const amount of ["0.01", "1.00", "999999999999999.99"])
      expect(refusalWith({ amount }), amount).to.equal("taken");
  });

  it("may have a fee of zero", () => {
    expect(refusalWith({ fee: "0.00", feeCurrency: "CZK" })).to.equal("taken");
    for (const fee of ["-1.00", "0", "1.005"])
      expect(refusalWith({ fee, feeCurrency: "CZK" })).to.equal("order_malformed: fee is invalid");
  });

  it("has texts of limited length, in which each character counts as one", () => {
    const limits = {
      creditorName: 70,
      creditorAddress: 300,
      creditorBank: 400,
      ultimateCreditor: 500,
      ultimateDebtor: 500,
      message: 140,
      endToEndIdentification: 35,
      purpose: 35,
      instructionIdentification: 35,
      paymentId: 35,
    };
    // Each is two units in the memory of JavaScript, and four bytes in UTF-8.
    const long = (characters: number) => "𠮷".repeat(characters);
    for (const [name, limit] of Object.entries(limits)) {
      expect(refusalWith({ [name]: long(limit) }), name).to.equal("taken");
      expect(refusalWith({ [name]: long(limit + 1) })).to.equal(`order_malformed: ${name} is invalid`);
    }
  });

  it("has no texts with hidden, reordering or stacked characters (UI-09)", () => {
    const hidden = [
      "a\u202Eb",
      "a\u0000b",
      "a\nb",
      "a\u200Bb",
      "a\u00A0b",
      "a\u2028b",
      "e\u0301",
      "\uE000",
      "\u3164",
      "a\u115Fb",
      "a\uFFA0b",
      "a\u034Fb",
      "a\uFE0Fb",
      "a\u{E0101}b",
      "\u2800",
      "a\u{13441}b",
      "a\u{13442}b",
      "a\u{16FE4}b",
      "a\u{1D159}b",
      "a\uFFFCb",
      "a\u00ADb",
      "a\u2066b",
      " ",
      "",
    ];
    for (const message of [...hidden, `z${"\u0335".repeat(3)}`, "x".repeat(141)])
      expect(refusalWith({ message }), JSON.stringify(message)).to.equal(
        "order_malformed: message is invalid",
      );
    for (const message of ["<b>&amp;</b> {{7*7}}", "Příliš  žluťoučký", "дякую", "x".repeat(140)])
      expect(refusalWith({ message }), message).to.equal("taken");
  });

  it("names an account in characters that cannot be mistaken for others", () => {
    const { creditorIban: _, ...unnamed } = DOMESTIC_ORDER;
    const withNumber = (creditorNumber: string) => refusalOf(canonicalOrder({ ...unnamed, creditorNumber }));
    for (const number of ["19-2000145399/0800", "GB 12345", "1", "DE89 3704 0044 0532 0130 00"])
      expect(withNumber(number), number).to.equal("taken");
    for (const number of ["1\u0660", "СZ6508000000192000145399", " 1", "1 ", "", "1".repeat(35), "1\u22152"])
      expect(withNumber(number), number).to.equal("order_malformed: creditorNumber is invalid");
  });

  it("is refused with a wrong checksum, a date that does not exist, or an unknown code", () => {
    const wrong = {
      creditorIban: "CZ6508000000192000145398",
      debtorIban: "cz3299000000002000000018",
      executionDate: "2027-02-29",
      priority: "NOW",
      chargeBearer: "ME",
      currency: "czk",
      variableSymbol: "12345678901",
      creditorBic: "TEST",
    };
    for (const [name, value] of Object.entries(wrong))
      expect(refusalWith({ [name]: value })).to.equal(`order_malformed: ${name} is invalid`);
  });
});
