import { expect } from "chai";
import { type Page, presentPage } from "../../../scripts/faults/present-verdicts.ts";

const plan = ["redis/stopped", "redis/emptied", "members/kill-9"];
const verdict = (name: string, held: boolean, detail: string) => ({ name, held, detail, seconds: 2 });
const rowOf = (page: string, name: string) => page.split("\n").find((line) => line.startsWith(`| ${name}`));

describe("Page of the faults", () => {
  const present = (page: Omit<Page, "isKnown">) =>
    presentPage({ ...page, isKnown: (commit) => commit.startsWith("abc") });
  const former = present({
    verdicts: [verdict("redis/stopped", false, "a | b"), verdict("members/kill-9", true, "3 open")],
    commit: "abc1",
    plan,
    former: "",
  });

  it("shows the newest verdict of each fault, in the order of the plan", () => {
    const page = present({
      verdicts: [verdict("redis/stopped", true, "again")],
      commit: "abc2",
      plan,
      former,
    });
    expect(rowOf(page, "redis/stopped")).to.match(/\| yes +\| 2 s +\| abc2 +\| again +\|$/);
    expect(rowOf(page, "members/kill-9")).to.match(/\| yes +\| 2 s +\| abc1 +\| 3 open +\|$/);
    expect(page).to.contain("of 3 cases 2 were seen, and 2 held");
  });

  it("keeps a vertical bar escaped in the text of an earlier run", () => {
    const page = present({ verdicts: [], commit: "abc2", plan, former });
    expect(rowOf(page, "redis/stopped")).to.match(/\| NO +\| 2 s +\| abc1 +\| a \\\| b +\|$/);
  });

  it("does not make every row as long as the longest", () => {
    const verdicts = [verdict("redis/stopped", true, "x".repeat(1_000))];
    const page = present({ verdicts, commit: "abc2", plan, former });
    expect(rowOf(page, "members/kill-9")).to.equal("| members/kill-9 | yes | 2 s | abc1 | 3 open |");
  });

  it("says which case was never run", () => {
    expect(rowOf(former, "redis/emptied")).to.match(/\| not run \|/);
  });

  it("drops what was seen at a commit that no longer exists", () => {
    const verdicts = [verdict("redis/emptied", true, "seen")];
    const lost = present({ verdicts, commit: "fed9", plan, former });
    expect(rowOf(lost, "redis/emptied"), "it is told when it is seen").to.contain("| seen ");
    const page = present({ verdicts: [], commit: "abc2", plan, former: lost });
    expect(rowOf(page, "redis/emptied")).to.match(/\| not run \|/);
    expect(page).to.contain("of 3 cases 2 were seen, and 1 held");
  });

  it("drops what is no longer in the plan", () => {
    const page = present({ verdicts: [], commit: "abc2", plan: ["redis/stopped"], former });
    expect(rowOf(page, "members/kill-9")).to.equal(undefined);
  });
});
