import { expect } from "chai";
import { TRANSACTION_ELEMENTS } from "../../packages/cobs-model/src/transaction-elements.ts";
import { asItCanBeTold } from "../../packages/resource/src/bank/http-connector/parse-transactions.ts";
import { withTellableTexts } from "../../packages/resource/src/bank/http-connector/tellable-texts.ts";
import { put, type Tree } from "../cobs-model/sample-transactions.ts";

const told = (text: string) => withTellableTexts({ addressLine: [text] });
const all = (...codes: readonly number[]) => String.fromCodePoint(...codes);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The paths of all details whose format takes letters of any language, or of all others: references, numbers and codes. */
const elements = (forPeople: boolean) =>
  TRANSACTION_ELEMENTS.filter(([, letters, { accepts }]) => letters !== "-----" && accepts("ě") === forPeople)
    .map(([path]) => path)
    .filter((path) => path.startsWith("details."));

/** Paths of what others may write in any characters, which are told in the permitted ones (clause 5.1). */
const WRITTEN_BY_OTHERS = /\.references\.|\.(?:organisation|private)Identification\.other\.identification$/;

/** A transaction with one text alone. */
function withText(path: string, text: string): Tree {
  const transaction: Tree = {};
  put(transaction, path, text);
  return transaction;
}

describe("A core system's text as passed on to TPPs", () => {
  it("is a single line: each line end becomes a space", () => {
    const ends = ["\r\n", "\t", "\n", "\v", "\f", "\r", "\u0085", "\u2028", "\u2029"];
    expect(told(`a${ends.join("b")}c`)).to.deep.equal({ addressLine: [`a${" b".repeat(8)} c`] });
  });

  it("has no marks that reorder it", () => {
    const marks = [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
    expect(told(`a${all(...marks)}b`)).to.deep.equal({ addressLine: ["ab"] });
  });

  it("has U+FFFD for every other control character, and for half a character", () => {
    const controls = [0, 8, 0x0e, 0x1f, 0x7f, 0x80, 0x84, 0x86, 0x9f];
    expect(told(`${all(...controls)}\ud83d`)).to.deep.equal({ addressLine: ["\ufffd".repeat(10)] });
  });

  it("is the same object when nothing had to be changed", () => {
    const value = { addressLine: ["Žluťoučký kůň", 7, null, { name: "👍 a\u00a0b" }] };
    expect(withTellableTexts(value)).to.equal(value);
  });

  it("is cleaned in every text for people, and in what others may write", () => {
    const paths = [...elements(true), ...elements(false).filter((path) => WRITTEN_BY_OTHERS.test(path))];
    expect(paths).to.have.length.above(70);
    for (const path of paths)
      expect(asItCanBeTold(withText(path, "12\n3\u200e4"))).to.deep.equal(withText(path, "12 34"));
  });

  it("is left as it is where it is acted on, to be refused: account and bank numbers, codes, amounts, symbols", () => {
    const paths = elements(false).filter((path) => !WRITTEN_BY_OTHERS.test(path));
    expect(paths).to.include("details.relatedParties.creditorAccount.identification.iban");
    for (const path of paths)
      expect(asItCanBeTold(withText(path, "12\n3\u200e4"))).to.deep.equal(withText(path, "12\n3\u200e4"));
  });
});
