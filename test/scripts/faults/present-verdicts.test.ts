import { expect } from "chai";
import { type Page, presentPage } from "../../../scripts/faults/present-verdicts.ts";

const plan = ["redis/stopped", "redis/emptied", "members/kill-9"];
const verdict = (name: string, held: boolean, detail: string) => ({ name, held, detail, seconds: 2 });
const rowOf = (page: string, name: string) => page.split("\n").find((line) => line.startsWith(`| ${name}`));

describe("the page of the faults", () => {
  const present = (page: Omit<Page, "isKnown">) =>
    presentPage({ ...page, isKnown: (commit) => commit.startsWith("abc") });
  const former = present({
    verdicts: [verdict("redis/stopped", false, "a | b"), verdict("members/kill-9", true, "3 open")],
    commit: "abc1",
    plan,
    former: "",
  });

  it("tells the newest verdict of each fault, in the order of the plan", () => {
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

  it("keeps a bar in what an earlier run told", () => {
    const page = present({ verdicts: [], commit: "abc2", plan, former });
    expect(rowOf(page, "redis/stopped")).to.match(/\| NO +\| 2 s +\| abc1 +\| a \\\| b +\|$/);
  });

  it("makes no row as long as the longest", () => {
    const verdicts = [verdict("redis/stopped", true, "x".repeat(1_000))];
    const page = present({ verdicts, commit: "abc2", plan, former });
    expect(rowOf(page, "members/kill-9")).to.equal("| members/kill-9 | yes | 2 s | abc1 | 3 open |");
  });

  it("says which case was never run", () => {
    expect(rowOf(former, "redis/emptied")).to.match(/\| not run \|/);
  });

  it("forgets what was seen at a commit that is not there any more", () => {
    const verdicts = [verdict("redis/emptied", true, "seen")];
    const lost = present({ verdicts, commit: "fed9", plan, former });
    expect(rowOf(lost, "redis/emptied"), "it is told when it is seen").to.contain("| seen ");
    const page = present({ verdicts: [], commit: "abc2", plan, former: lost });
    expect(rowOf(page, "redis/emptied")).to.match(/\| not run \|/);
    expect(page).to.contain("of 3 cases 2 were seen, and 1 held");
  });

  it("forgets what is not in the plan any more", () => {
    const page = present({ verdicts: [], commit: "abc2", plan: ["redis/stopped"], former });
    expect(rowOf(page, "members/kill-9")).to.equal(undefined);
  });
});
