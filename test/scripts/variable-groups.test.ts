import { AUTH_VARIABLES } from "@cobs/auth";
import { expect } from "chai";
import { presentGroups } from "../../scripts/variable-groups.ts";

describe("Groups of variables in the documentation", () => {
  it("list each variable once, under a heading", () => {
    const lines = presentGroups(AUTH_VARIABLES, "###").split("\n");
    const told = lines.flatMap((line) => /^\| `(\w+)`/.exec(line)?.[1] ?? []);
    expect(told).to.have.members(AUTH_VARIABLES.map(({ name }) => name));
    expect(lines.indexOf("### Database")).to.be.below(
      lines.findIndex((line) => line.startsWith("| `DATABASE_URL`")),
    );
  });

  it("must include every variable", () => {
    const stray = () => presentGroups([{ name: "COLOUR_OF_MOON", meaning: "A colour" }], "##");
    expect(stray).to.throw("in no group of scripts/variable-groups.ts: COLOUR_OF_MOON");
  });
});
