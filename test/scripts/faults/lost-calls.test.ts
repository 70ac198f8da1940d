import { expect } from "chai";
import { presentLosses, whoLost } from "../../../scripts/topology/load/lost-calls.ts";

const OLD = { member: "auth-1", release: "c2a01cb", signalledAt: 1_000, endedAt: 1_200 };
const NEW = { member: "auth-1", release: "this release", signalledAt: 5_000, endedAt: 7_200 };
const ENDED = [OLD, NEW];

const callOf = (startedAt: number, endedAt: number) => ({
  kind: "refresh",
  answer: "503",
  startedAt,
  endedAt,
});

describe("whoLost", () => {
  it("names the process that was ending while a call was under way", () => {
    expect(whoLost(callOf(990, 1_010), ENDED)).to.equal(OLD);
    expect(whoLost(callOf(1_190, 3_500), ENDED)).to.equal(OLD);
    expect(whoLost(callOf(6_000, 6_001), ENDED)).to.equal(NEW);
  });

  it("names nobody when a call was over before the signal, or began after the process had ended", () => {
    expect(whoLost(callOf(900, 1_000), ENDED)).to.equal(undefined);
    expect(whoLost(callOf(1_200, 1_300), ENDED)).to.equal(undefined);
  });
});

describe("presentLosses", () => {
  it("counts by the release of the processes, and losses at no end separately", () => {
    const failed = [callOf(990, 1_010), callOf(1_050, 1_100), callOf(4_000, 4_100)];
    expect(presentLosses(failed, ENDED)).to.equal(
      "lost 2 by processes of c2a01cb at their end, 0 by processes of this release at their end, 1 at no end",
    );
  });
});
