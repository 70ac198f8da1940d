import { expect } from "chai";
import { listRows } from "../../../packages/auth/src/operator/commands/list-rows.ts";

describe("A list for operators", () => {
  const LIST = { path: "/things", rows: "things", columns: [["name", "name"]], empty: "No things." } as const;
  const shown = async (answer: object) =>
    (await listRows(() => Promise.resolve(JSON.stringify(answer)), LIST, {})).text;

  it("says that there are none only when the search is complete", async () => {
    expect(await shown({ things: [], next: null })).to.equal("No things.");
    expect(await shown({ things: [], next: "key" })).to.equal("None on this page.\nNext page: --after key");
  });

  it("says how to continue without promising that there are more rows", async () => {
    const text = await shown({ things: [{ name: "one" }], next: "key" });
    expect(text).to.match(/one\s*\nNext page: --after key$/);
  });
});
