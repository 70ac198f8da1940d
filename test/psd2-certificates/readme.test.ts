import { readFileSync } from "node:fs";
import { certificateRefusalMeanings } from "@cobs/psd2-certificates";
import { expect } from "chai";

const readme = readFileSync(new URL("../../packages/psd2-certificates/README.md", import.meta.url), "utf8");

describe("The README of the package", () => {
  it("lists every refusal code with its meaning, in the order of the code, and no other", () => {
    const rows = [...readme.matchAll(/^\| `([a-z0-9_]+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);
    expect(rows).to.deep.equal(Object.entries(certificateRefusalMeanings));
  });
});
