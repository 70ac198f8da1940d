import { setTimeout as delay } from "node:timers/promises";
import { gather, gatherLookups, inPlaces } from "@cobs/service-edge";
import { expect } from "chai";
import { rejectionOf } from "../support/rejection.ts";

const LONGER_THAN_LONG_MILLISECONDS = 400;
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Two statements under way for 1 and 2, each of which will find the database down when it is told to; that for 4 does not. */
async function twoThatWillFail() {
  const statements: (readonly number[])[] = [];
  const fail: (() => void)[] = [];
  const read = gather(async (asked: readonly number[]) => {
    statements.push(asked);
    if (asked.includes(4)) return asked;
    await new Promise<void>((resolve) => fail.push(resolve));
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  const first = rejectionOf(read(1));
  await soon();
  const second = rejectionOf(read(2));
  await soon();
  return { read, statements, fail, first, second };
}

describe("Questions of many calls gathered into statements", () => {
  it("go in one statement, and each call gets its own result", async () => {
    const statements: (readonly number[])[] = [];
    const double = gather(async (asked: readonly number[]) => {
      statements.push(asked);
      return asked.map((each) => each * 2);
    });
    expect(await Promise.all([1, 2, 3].map(double))).to.deep.equal([2, 4, 6]);
    expect(statements).to.deep.equal([[1, 2, 3]]);
  });

  it("wait while each turn of the event loop brings others, and three turns at most", async () => {
    const statements: (readonly number[])[] = [];
    const read = gather(async (asked: readonly number[]) => {
      statements.push(asked);
      return asked;
    });
    const all = [read(0)];
    for (const each of [1, 2, 3, 4, 5]) {
      all.push(read(each));
      await soon();
    }
    expect(statements[0]).to.deep.equal([0, 1, 2, 3]);
    expect(await Promise.all(all)).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it("wait no longer when a turn has brought no other", async () => {
    let begun = 0;
    const read = gather(async (asked: readonly number[]) => {
      begun += 1;
      return asked;
    });
    const alone = read(1);
    await soon();
    expect(begun).to.equal(1);
    expect(await alone).to.equal(1);
  });

  it("never get the result of a statement that began before they were asked", async () => {
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

  it("are repeated one by one when their statement fails, so that none fails because of another", async () => {
    const reciprocal = gather(async (asked: readonly number[]) => {
      if (asked.includes(0)) throw new RangeError("no reciprocal");
      return asked.map((each) => 1 / each);
    });
    const [half, none] = await Promise.allSettled([reciprocal(2), reciprocal(0)]);
    expect(half).to.deep.equal({ status: "fulfilled", value: 0.5 });
    expect(none.status).to.equal("rejected");
  });

  it("are repeated one by one when the database undoes their statement in a deadlock", async () => {
    const read = gather(async (asked: readonly number[]) => {
      if (asked.length > 1) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
      return asked;
    });
    expect(await Promise.all([1, 2].map(read))).to.deep.equal([1, 2]);
  });

  it("all fail when the database is down, and are not repeated one by one", async () => {
    let statements = 0;
    const read = gather(async () => {
      statements += 1;
      throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    });
    const errors = await Promise.all([1, 2, 3].map((each) => rejectionOf(read(each))));
    expect(errors.map(String)).to.deep.equal(Array(3).fill("Error: connect"));
    expect(statements).to.equal(1);
  });

  it("fail if they waited long behind a statement that found the database down, unlike newcomers", async () => {
    const { read, fail, first, second } = await twoThatWillFail();
    const waiting = rejectionOf(read(3));
    await delay(LONGER_THAN_LONG_MILLISECONDS);
    const newcomer = read(4);
    fail[0]?.();
    expect(String(await first)).to.equal("Error: connect");
    expect(String(await waiting)).to.equal("Error: connect");
    expect(await newcomer).to.equal(4);
    fail[1]?.();
    expect(String(await second)).to.equal("Error: connect");
  });

  it("cause no statement when all of them failed before it began", async () => {
    const { read, statements, fail, first, second } = await twoThatWillFail();
    const waiting = rejectionOf(read(3));
    fail[0]?.();
    await first;
    const begun = performance.now();
    while (performance.now() < begun + LONGER_THAN_LONG_MILLISECONDS);
    fail[1]?.();
    expect(String(await second)).to.equal("Error: connect");
    expect(String(await waiting)).to.equal("Error: connect");
    for (let turn = 0; turn < 5; turn += 1) await soon();
    expect(statements).to.deep.equal([[1], [2]]);
  });

  it("go in statements of a hundred at most, so that the first do not wait for the last", async () => {
    const sizes: number[] = [];
    const read = gather(async (asked: readonly number[]) => {
      sizes.push(asked.length);
      return asked;
    });
    await Promise.all(Array.from({ length: 250 }, (_, nth) => read(nth)));
    expect(sizes).to.deep.equal([100, 100, 50]);
  });

  it("all fail when the statement gives too few results, so that nobody waits or gets another's", async () => {
    for (const ask of [gather(async () => []), gatherLookups(String, async () => [])]) {
      const failures = await Promise.all([rejectionOf(ask("a")), rejectionOf(ask("a"))]);
      for (const failure of failures) expect(failure).to.be.instanceOf(TypeError);
    }
  });

  it("run in two statements at a time at most, and the others wait for the next", async () => {
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

  it("are looked up once when equal, and all get what is found", async () => {
    const statements: (readonly string[])[] = [];
    const find = gatherLookups(String, async (names: readonly string[]) => {
      statements.push(names);
      return names.map((name) => (name === "none" ? undefined : { name }));
    });
    const [first, none, second, other] = await Promise.all(["a", "none", "a", "b"].map(find));
    expect([first, none, other]).to.deep.equal([{ name: "a" }, undefined, { name: "b" }]);
    expect(second).to.equal(first);
    expect(statements).to.deep.equal([["a", "none", "b"]]);
  });

  it("are looked up again when asked after the statement began", async () => {
    let statements = 0;
    const find = gatherLookups(String, async (names: readonly string[]) => {
      statements += 1;
      await soon();
      return names;
    });
    const early = find("a");
    await soon();
    await Promise.all([early, find("a")]);
    expect(statements).to.equal(2);
  });

  it("get their results by place, whatever was found and in whatever order", () => {
    const rows = [
      { place: 3, name: "c" },
      { place: 1, name: "a" },
    ];
    expect(inPlaces(rows, 3)).to.deep.equal([rows[1], undefined, rows[0]]);
  });
});
