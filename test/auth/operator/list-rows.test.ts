import { expect } from "chai";
import { listRows } from "../../../packages/auth/src/operator/commands/list-rows.ts";

describe("A list for operators", () => {
  const LIST = { path: "/things", rows: "things", columns: [], empty: "No things." };
  const shown = async (answer: object) =>
    (await listRows(() => Promise.resolve(JSON.stringify(answer)), LIST, {})).text;

  it("says that there are none only when the search has come to its end", async () => {
    expect(await shown({ things: [], next: null })).to.equal("No things.");
    expect(await shown({ things: [], next: "key" })).to.equal("None so far.\nThere may be more: --after key");
  });
});
