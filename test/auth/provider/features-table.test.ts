import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect } from "chai";

const AUTH = resolve(import.meta.dirname, "../../../packages/auth");
const HEADING = "| feature of the provider | is | because |";
const REASON = /^ {4}\/\/ (.*)$/;
const FEATURE = /^ {4}(\w+): (OFF\b)?/;

/** The rows of the README as the list of features has them: each with the comment above it, or above its group. */
function rowsOfFeatures(): readonly string[] {
  const source = readFileSync(resolve(AUTH, "src/provider/features.ts"), "utf8");
  const list = source.slice(source.indexOf("export function providerFeatures")).split("\n");
  let reason: readonly string[] = [];
  return list.flatMap((line, index) => {
    const said = REASON.exec(line)?.[1];
    if (said !== undefined) reason = REASON.test(list[index - 1] ?? "") ? [...reason, said] : [said];
    const [, name, off] = FEATURE.exec(line) ?? [];
    return name === undefined
      ? []
      : [`| \`${name}\` | ${off === undefined ? "on" : "off"} | ${reason.join(" ")} |`];
  });
}

describe("The table of the provider's features in auth's README", () => {
  it("shows each feature as the server has it, on or off, with its reason", () => {
    const readme = readFileSync(resolve(AUTH, "README.md"), "utf8");
    const [table = ""] = readme.slice(readme.indexOf(HEADING)).split("\n\n", 1);
    const rows = rowsOfFeatures();
    expect(rows.length).to.be.greaterThan(25);
    for (const row of rows) expect(row).to.match(/\| (on|off) \| .{10,} \|$/);
    expect(table.trimEnd().split("\n").slice(2)).to.deep.equal(rows);
  });
});
