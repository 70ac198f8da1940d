import { expect } from "chai";
import { presentBlocks } from "../../../packages/auth/src/operator/commands/present-blocks.ts";
import { presentFields, presentTable } from "../../../packages/auth/src/operator/commands/present-table.ts";
import { legibleJson, legibleText } from "../../../packages/auth/src/operator/legible.ts";

/** Clears the screen, in both of its spellings; turns the direction of what follows; goes on in another row. */
const HOSTILE = "Bank\u001b[2J\u009b2J\u202e\nPSDCZ-CNB-1";

describe("The output of the operator's command", () => {
  it("escapes control characters in names, which could move the cursor or hide letters", () => {
    const shown = "Bank\\u{1b}[2J\\u{9b}2J\\u{202e}\\u{a}PSDCZ-CNB-1";
    expect(presentTable([["NAME", "name"]], [{ name: HOSTILE }])).to.equal(`NAME\n${shown}`);
    expect(presentFields({ name: HOSTILE, list: [HOSTILE] })).to.equal(`name  ${shown}\nlist  ${shown}`);
    expect(presentBlocks({ kind: "tpp", organisationIdentifier: HOSTILE })).to.include(`TPP ${shown}\n`);
  });

  it("lets no stranger's name continue as the next column or member", () => {
    const name = "Good · state active  fapi2\u2003\u30003";
    const shown = "Good \\u{b7} state active \\u{20}fapi2\\u{2003}\\u{3000}3";
    expect(presentTable([["NAME", "name"]], [{ name }])).to.equal(`NAME\n${shown}`);
    expect(presentFields({ of: { name, id: 1 } })).to.equal(`of  name ${shown} · id 1`);
  });

  it("shows the code points of invisible letters, which look like a gap between columns", () => {
    const nothing = ["\u2800", "\u3164", "\u034f", "\ufe0f", "\u115f", "\u{e0100}", "\ufffc", "\u{1d159}"];
    for (const blank of nothing) {
      const shown = `Bank\\u{${blank.codePointAt(0)?.toString(16)}}fapi2`;
      expect(presentTable([["NAME", "name"]], [{ name: `Bank${blank}fapi2` }])).to.equal(`NAME\n${shown}`);
      expect(legibleText(`Bank${blank}fapi2`)).to.equal(shown);
    }
  });

  it("keeps the line breaks of a text", () => {
    expect(legibleText("one\ntwo\u001b[1A")).to.equal("one\ntwo\\u{1b}[1A");
  });

  it("stays the same JSON for programs, in ASCII", () => {
    const json = JSON.stringify({ name: HOSTILE, tag: "\u{e0041}" });
    expect(legibleJson(json)).to.match(/^[\x20-\x7e]+$/);
    expect(JSON.parse(legibleJson(json))).to.deep.equal(JSON.parse(json));
  });
});
