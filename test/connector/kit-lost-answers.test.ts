import { expect } from "chai";
import { answering } from "../resource/connector/scripted-core.ts";
import { clausesOf, judgeBehind } from "./kit-at-core.ts";

describe("the test kit on a core system that now and then gives no answer (contract, clause 1.5)", () => {
  it("repeats a question that got no answer in one check, and judges the other checks by the new answer", async () => {
    let asked = 0;
    const results = await judgeBehind(
      ({ url }) => {
        if (url !== "/terms") return undefined;
        asked += 1;
        return asked === 1 ? answering({}, 503) : undefined;
      },
      ...["6.1", "6.2"],
    );
    expect(clausesOf(results, "failed")).to.deep.equal(["6.1"]);
    expect(results[0]?.seen).to.match(/^answer_throttled: /);
  });

  it("does not repeat a question that was answered wrongly", async () => {
    let asked = 0;
    const results = await judgeBehind(
      ({ url }) => {
        if (url !== "/terms") return undefined;
        asked += 1;
        return answering({});
      },
      ...["6.1", "6.2"],
    );
    expect(asked).to.equal(1);
    expect(results.at(-1)?.seen).to.equal("the same answer as in 6.1");
  });
});
