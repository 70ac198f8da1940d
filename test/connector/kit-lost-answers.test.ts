import { expect } from "chai";
import { answering } from "../resource/connector/scripted-core.ts";
import { clausesOf, judgeBehind } from "./kit-at-core.ts";

describe("the test kit on a core system that is now and then without an answer (contract, clause 1.5)", () => {
  it("asks anew for what one check got no answer to, and judges the others by that", async () => {
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

  it("asks once for what was answered wrongly", async () => {
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
    expect(results.at(-1)?.seen).to.equal("the same answer as at 6.1");
  });
});
