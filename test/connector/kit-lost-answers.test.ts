import { expect } from "chai";
import { runKit } from "../../packages/resource/src/core-kit/run-kit.ts";
import { SAMPLE_ACCOUNTS } from "../resource/connector/sample-answers.ts";
import { answering, startScriptedCore } from "../resource/connector/scripted-core.ts";
import { checksFor, clausesOf, judgeBehind, openCoreAt } from "./kit-at-core.ts";
import { ANNA } from "./memory-bank.ts";

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

  it("names the clause on time when a question gets no answer within the limit", async () => {
    const silent = await startScriptedCore();
    silent.behave((request, response) => {
      if (request.url !== "/terms") answering(SAMPLE_ACCOUNTS)(request, response);
    });
    const core = await openCoreAt(silent.url.href, 1_000);
    const parts = { core, psu: ANNA, otherPsu: undefined, payee: undefined };
    const [result] = await runKit(parts, checksFor("6.1")).finally(async () => {
      await core.close();
      await silent.die();
    });
    expect(result?.seen).to.match(
      /^core_timed_out: no complete answer in time \(clause 1\.5\), at GET \/terms/,
    );
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
