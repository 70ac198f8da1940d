import { expect } from "chai";
import { withTellableTexts } from "../../packages/resource/src/bank/http-connector/tellable-texts.ts";

const told = (text: string) => withTellableTexts({ texts: [text] });
const all = (...codes: readonly number[]) => String.fromCodePoint(...codes);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe("A text of a core system that is told to TPPs", () => {
  it("is one line: each end of a line is one space", () => {
    const ends = ["\r\n", "\t", "\n", "\v", "\f", "\r", "\u0085", "\u2028", "\u2029"];
    expect(told(`a${ends.join("b")}c`)).to.deep.equal({ texts: [`a${" b".repeat(8)} c`] });
  });

  it("has none of the marks that reorder it", () => {
    const marks = [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
    expect(told(`a${all(...marks)}b`)).to.deep.equal({ texts: ["ab"] });
  });

  it("has U+FFFD for each other control character, and for half a sign", () => {
    const controls = [0, 8, 0x0e, 0x1f, 0x7f, 0x80, 0x84, 0x86, 0x9f];
    expect(told(`${all(...controls)}\ud83d`)).to.deep.equal({ texts: ["\ufffd".repeat(10)] });
  });

  it("is the same object still where nothing had to be changed", () => {
    const value = { texts: ["Žluťoučký kůň", 7, null, { name: "👍 a\u00a0b" }] };
    expect(withTellableTexts(value)).to.equal(value);
  });
});
