import { parsePsuId } from "@cobs/cobs-model";
import { expect } from "chai";
import {
  createRefusalBound,
  RECORDED_PER_MINUTE,
  type Refusal,
  TAKEN_AT_ONCE,
} from "../../../packages/auth/src/psu/refusal-bound.ts";
import { movableClock } from "../../support/movable-clock.ts";

const psuOf = (index: number) => parsePsuId(`psu-${index}`);
const JANA = parsePsuId("psu-jana");

describe("The limit of recorded refused sign-ins", () => {
  const start = (maxPsus?: number) => {
    const clock = movableClock();
    const bound = createRefusalBound(clock, maxPsus);
    const take = (psu = JANA, refusal: Refusal = "blocked") => bound.take({ refusal, psu });
    const recordedOf = (attempts: number, refusal: Refusal, psu: typeof JANA | undefined) =>
      Array.from({ length: attempts }, () => bound.take({ refusal, psu })).filter(
        ({ isRecorded }) => isRecorded,
      ).length;
    return { clock, bound, take, recordedOf };
  };

  it("is shared by all unknown usernames, refused and blocked together", () => {
    const { recordedOf } = start();
    expect(recordedOf(40, "blocked", undefined)).to.equal(40);
    expect(recordedOf(40, "refused", undefined)).to.equal(RECORDED_PER_MINUTE.unknown - 40);
  });

  it("is separate for each PSU, and for refused and blocked sign-ins", () => {
    const { recordedOf } = start();
    expect(recordedOf(500, "refused", undefined)).to.equal(RECORDED_PER_MINUTE.unknown);
    for (const psu of [JANA, psuOf(1)]) {
      expect(recordedOf(500, "blocked", psu)).to.equal(RECORDED_PER_MINUTE.blocked);
      expect(recordedOf(500, "refused", psu)).to.equal(RECORDED_PER_MINUTE.refused);
    }
  });

  it("begins anew after a minute, with the number of unrecorded attempts", () => {
    const { clock, take, recordedOf } = start();
    recordedOf(12, "blocked", JANA);
    clock.advance(59_999);
    expect(take().isRecorded).to.equal(false);
    clock.advance(1);
    expect(take()).to.deep.include({ isRecorded: true, unrecordedBefore: 13 - RECORDED_PER_MINUTE.blocked });
    expect(take()).to.deep.include({ isRecorded: true, unrecordedBefore: 0 });
  });

  it("does not depend on a wall clock that is set back", () => {
    const { clock, bound, take, recordedOf } = start();
    recordedOf(12, "blocked", JANA);
    for (const hours of [-2, -4]) {
      clock.setWall(hours * 3_600_000);
      expect(take().isRecorded).to.equal(false);
      expect(bound.takeOut("over")).to.deep.equal([]);
    }
  });

  it("keeps a limited number of PSUs, and hands out the count of the oldest when another one comes", () => {
    const { bound, take, recordedOf } = start(100);
    recordedOf(RECORDED_PER_MINUTE.blocked + 4, "blocked", psuOf(0));
    for (let index = 1; index < 100; index += 1) expect(take(psuOf(index)).displaced).to.deep.equal([]);
    expect(take(psuOf(100)).displaced).to.deep.equal([{ psu: psuOf(0), attempts: 4 }]);
    for (let index = 101; index < 10_000; index += 1) expect(take(psuOf(index)).displaced).to.deep.equal([]);
    for (let index = 9_900; index < 10_000; index += 1) recordedOf(10, "blocked", psuOf(index));
    expect(bound.takeOut("any")).to.have.length(100);
  });

  it("hands out counts once, and a bounded number of them at a time", () => {
    const { clock, bound, recordedOf } = start();
    const more = TAKEN_AT_ONCE + 10;
    for (let index = 0; index < more; index += 1)
      recordedOf(RECORDED_PER_MINUTE.blocked + 1, "blocked", psuOf(index));
    expect(bound.takeOut("over")).to.deep.equal([]);
    clock.advance(60_000);
    expect(bound.takeOut("over")).to.have.length(TAKEN_AT_ONCE);
    expect(bound.takeOut("over")).to.have.length(10);
    expect(bound.takeOut("any")).to.deep.equal([]);
  });

  it("hands out the count of a past minute even behind a PSU whose minute has begun anew", () => {
    const { clock, bound, take, recordedOf } = start();
    take(psuOf(0));
    clock.advance(1);
    recordedOf(RECORDED_PER_MINUTE.blocked + 4, "blocked", JANA);
    clock.advance(59_999);
    take(psuOf(0));
    clock.advance(1);
    expect(bound.takeOut("over")).to.deep.equal([{ psu: JANA, attempts: 4 }]);
  });

  it("takes a count back, and hands it out with the next one", () => {
    const { bound, take } = start();
    bound.giveBack({ psu: JANA, attempts: 7 });
    expect(take().unrecordedBefore).to.equal(7);
  });
});
