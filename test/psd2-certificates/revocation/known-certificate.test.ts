import { expect } from "chai";
import { now, present } from "../certificate-builder.ts";
import { authorityOf, ocspUrl, responderOf, revocationWorld, tppUnder } from "./revocation-world.ts";

const issuing = authorityOf("Issuing CA");
const calls = 20_000;

describe("A certificate known to be good", () => {
  it("costs only a look-up on each further call: some microseconds, and no question", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, responderOf(issuing));
    const presented = present(tppUnder(issuing).der);
    const identify = () => world.verification.identify(presented, now, "certain");
    for (let call = 0; call < calls; call++) await identify();
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) await identify();
    const { user, system } = process.cpuUsage(start);
    // About one microsecond on a quiet machine.
    expect((user + system) / calls).to.be.below(15);
    expect(world.asked(ocspUrl)).to.equal(1);
  });

  it("is reported as good on each call, and yields the same identity", async () => {
    const world = revocationWorld();
    world.sources.set(ocspUrl, responderOf(issuing));
    const presented = present(tppUnder(issuing).der);
    const first = await world.verification.identify(presented, now, "certain");
    expect(await world.verification.identify(presented, now, "known")).to.equal(first);
    expect(world.events).to.deep.equal([
      { kind: "answer", source: "ocsp", outcome: "good", detail: "OCSP ocsp.test: good" },
      { kind: "decision", decision: "good" },
      { kind: "decision", decision: "good" },
    ]);
  });
});
