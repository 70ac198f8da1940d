import { expect } from "chai";
import { presentPage } from "../../../scripts/faults/present-verdicts.ts";

const plan = ["redis/stopped", "redis/emptied", "members/kill-9"];
const verdict = (name: string, held: boolean, detail: string) => ({ name, held, detail, seconds: 2 });
const rowOf = (page: string, name: string) => page.split("\n").find((line) => line.startsWith(`| ${name}`));

describe("the page of the faults", () => {
  const former = presentPage({
    verdicts: [verdict("redis/stopped", false, "a | b"), verdict("members/kill-9", true, "3 open")],
    commit: "abc1",
    plan,
    former: "",
  });

  it("tells the newest verdict of each fault, in the order of the plan", () => {
    const page = presentPage({
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
    const page = presentPage({ verdicts: [], commit: "abc2", plan, former });
    expect(rowOf(page, "redis/stopped")).to.match(/\| NO +\| 2 s +\| abc1 +\| a \\\| b +\|$/);
  });

  it("says which case was never run", () => {
    expect(rowOf(former, "redis/emptied")).to.match(/\| not run \|/);
  });

  it("forgets what is not in the plan any more", () => {
    const page = presentPage({ verdicts: [], commit: "abc2", plan: ["redis/stopped"], former });
    expect(rowOf(page, "members/kill-9")).to.equal(undefined);
  });
});
