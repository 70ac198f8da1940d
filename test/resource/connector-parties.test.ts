import type { IncomingCall, Route, RunInSlot } from "@cobs/service-edge";
import { expect } from "chai";
import { followCalls } from "../../packages/resource/src/bank/http-connector/call-trace.ts";

const CALL = { requestId: "1" } as unknown as IncomingCall;
const inSlotOf: RunInSlot = (_name, task) => task(false);

describe("The party for whom the core system is asked", () => {
  it("is the TPP of a call while it is carried out, else the bank's services or the jobs of the process", async () => {
    const calls = followCalls();
    const parties = [calls.party()];
    const handle: Route["handle"] = async () => {
      parties.push(calls.party());
      await calls.followTpps(inSlotOf)("PSDCZ-CNB-1", async () => {
        expect(calls.trace()).to.deep.equal({ requestId: "1" });
        parties.push(calls.party());
      });
      parties.push(calls.party());
      return { status: 200 };
    };
    for (const route of calls.follow([{ method: "GET", path: "/", handle }])) await route.handle(CALL);
    const [jobs, bank] = parties;
    expect(parties).to.deep.equal([jobs, bank, "PSDCZ-CNB-1", bank]);
    expect(new Set(parties).size).to.equal(3);
  });
});
