import { gather, inPlaces } from "@cobs/service-edge";
import { expect } from "chai";
import { rejectionOf } from "../support/rejection.ts";

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("What many calls ask for at the same moment", () => {
  it("is asked in one statement, and each gets what is its own", async () => {
    const statements: (readonly number[])[] = [];
    const double = gather(async (asked: readonly number[]) => {
      statements.push(asked);
      return asked.map((each) => each * 2);
    });
    expect(await Promise.all([1, 2, 3].map(double))).to.deep.equal([2, 4, 6]);
    expect(statements).to.deep.equal([[1, 2, 3]]);
  });

  it("is never told what a statement saw that began before it was asked for", async () => {
    let seen = "before";
    let answerFirst = () => {};
    const statements: Promise<void>[] = [];
    const read = gather(async (asked: readonly undefined[]) => {
      const value = seen;
      if (statements.length === 0) statements.push(new Promise((resolve) => (answerFirst = resolve)));
      await statements[0];
      return asked.map(() => value);
    });
    const early = read(undefined);
    await soon();
    seen = "after";
    const late = read(undefined);
    await soon();
    answerFirst();
    expect(await Promise.all([early, late])).to.deep.equal(["before", "after"]);
  });

  it("is done for each alone when it fails together, so that nobody fails for another", async () => {
    const reciprocal = gather(async (asked: readonly number[]) => {
      if (asked.includes(0)) throw new RangeError("no reciprocal");
      return asked.map((each) => 1 / each);
    });
    const [half, none] = await Promise.allSettled([reciprocal(2), reciprocal(0)]);
    expect(half).to.deep.equal({ status: "fulfilled", value: 0.5 });
    expect(none.status).to.equal("rejected");
  });

  it("fails for all when the database is down, and is not tried again for each", async () => {
    let statements = 0;
    const read = gather(async () => {
      statements += 1;
      throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    });
    const errors = await Promise.all([1, 2, 3].map((each) => rejectionOf(read(each))));
    expect(errors.map(String)).to.deep.equal(Array(3).fill("Error: connect"));
    expect(statements).to.equal(1);
  });

  it("is bounded: what waits while two are under way goes with the next", async () => {
    let [underWay, most] = [0, 0];
    const read = gather(async (asked: readonly number[]) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn < 5; turn += 1) await soon();
      underWay -= 1;
      return asked;
    });
    const all: Promise<number>[] = [];
    for (let each = 0; each < 500; each += 1) {
      all.push(read(each));
      if (each % 50 === 0) await soon();
    }
    expect(await Promise.all(all)).to.deep.equal(Array.from({ length: 500 }, (_, each) => each));
    expect(most).to.equal(2);
  });

  it("comes back in its place, whatever was found and in whatever order", () => {
    const rows = [
      { place: 3, name: "c" },
      { place: 1, name: "a" },
    ];
    expect(inPlaces(rows, 3)).to.deep.equal([rows[1], undefined, rows[0]]);
  });
});
