import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { expect } from "chai";
import {
  AllowanceUsedUp,
  createQuestionAllowance,
} from "../../packages/resource/src/limits/question-allowance.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";

type Answer = "good" | "vain";

/** A question under way, which a test answers. */
interface Asked {
  readonly answer: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
}

const isGood = (answer: Answer) => answer === "good";

describe("the allowance of fruitless questions", () => {
  let clock: MovableClock;
  let asked: Asked[];
  beforeEach(() => {
    clock = movableClock();
    asked = [];
  });

  /** Lets a party ask, each question answered by the test; tells what each came to. */
  function asking(perMinute: number, waitMilliseconds = 600_000) {
    const allowance = createQuestionAllowance({ perMinute, waitMilliseconds }, clock);
    const question = () =>
      new Promise<Answer>((answer, fail) => {
        asked.push({ answer, fail });
      });
    const outcome = async (answer: Promise<Answer>): Promise<string> =>
      answer.catch((error: unknown) => (error instanceof AllowanceUsedUp ? "refused" : String(error)));
    return {
      ask: (party = "one") => outcome(allowance.ask<Answer>(party, question, isGood)),
      askAtOnce: (answer: Answer, party = "one") =>
        outcome(allowance.ask<Answer>(party, () => answer, isGood)),
      waitOf: async (party = "one") => {
        try {
          await allowance.ask<Answer>(party, () => "vain", isGood);
        } catch (error) {
          if (error instanceof AllowanceUsedUp) return error.waitMilliseconds;
        }
        throw new Error("nothing was refused");
      },
    };
  }

  async function repeat(times: number, call: () => Promise<string>): Promise<readonly string[]> {
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1) outcomes.push(await call());
    return outcomes;
  }

  it("lets a party ask fruitlessly up to the limit, and then only as time passes", async () => {
    const { askAtOnce, waitOf } = asking(10);
    expect(await repeat(12, () => askAtOnce("vain"))).to.deep.equal([
      ...new Array(10).fill("vain"),
      ...new Array(2).fill("refused"),
    ]);
    expect(await waitOf()).to.equal(6_000);
    clock.advance(5_999);
    expect(await waitOf()).to.equal(1);
    clock.advance(1);
    expect(await repeat(2, () => askAtOnce("vain"))).to.deep.equal(["vain", "refused"]);
    clock.advance(3_600_000);
    expect(await repeat(11, () => askAtOnce("vain"))).to.deep.equal([
      ...new Array(10).fill("vain"),
      "refused",
    ]);
  });

  it("counts a fruitless question from its answer on, however long that took", async () => {
    const { ask, askAtOnce } = asking(1);
    const slow = ask();
    clock.advance(60_000);
    asked[0]?.answer("vain");
    expect(await slow).to.equal("vain");
    expect(await askAtOnce("vain")).to.equal("refused");
  });

  it("states a wait that is long enough, also when it is no whole number of milliseconds", async () => {
    const { askAtOnce, waitOf } = asking(7);
    await repeat(7, () => askAtOnce("vain"));
    clock.advance(await waitOf());
    expect(await askAtOnce("vain")).to.equal("vain");
  });

  it("is not used up by good questions, however many", async () => {
    const { askAtOnce } = asking(1);
    expect(new Set(await repeat(1_000, () => askAtOnce("good")))).to.deep.equal(new Set(["good"]));
  });

  it("is separate for each party", async () => {
    const { askAtOnce } = asking(1);
    expect(await repeat(2, () => askAtOnce("vain", "one"))).to.deep.equal(["vain", "refused"]);
    expect(await askAtOnce("good", "two")).to.equal("good");
  });

  it("keeps as many under way as may be fruitless, and refuses the rest once all of these were", async () => {
    const { ask } = asking(3);
    const outcomes = Array.from({ length: 8 }, () => ask());
    expect(asked).to.have.length(3);
    for (const { answer } of asked) answer("vain");
    expect(await Promise.all(outcomes)).to.deep.equal([
      ...new Array(3).fill("vain"),
      ...new Array(5).fill("refused"),
    ]);
    expect(asked).to.have.length(3);
  });

  it("lets those that wait ask in their order, as soon as one before them was good", async () => {
    const { ask } = asking(2);
    const outcomes = Array.from({ length: 7 }, () => ask());
    asked[0]?.answer("vain");
    await outcomes[0];
    for (let place = 1; place < 7; place += 1) {
      expect(asked).to.have.length(place + 1);
      asked[place]?.answer("good");
      expect(await outcomes[place]).to.equal("good");
    }
  });

  it("lets one that waits ask when time has freed a place, before a later one", async () => {
    const { ask } = asking(2);
    const early = [ask(), ask(), ask()];
    asked[0]?.answer("vain");
    await early[0];
    clock.advance(30_000);
    const late = ask();
    await turnOfEventLoop();
    expect(asked).to.have.length(3);
    asked[2]?.answer("good");
    expect(await early[2]).to.equal("good");
    asked[3]?.answer("vain");
    expect(await late).to.equal("vain");
  });

  it("frees a place when there is no answer, and fails those waiting behind it", async () => {
    const { ask, askAtOnce } = asking(1);
    const outcomes = [ask(), ask(), ask()];
    asked[0]?.fail(new Error("silent"));
    expect(await Promise.all(outcomes)).to.deep.equal(new Array(3).fill("Error: silent"));
    expect(asked).to.have.length(1);
    expect(await repeat(2, () => askAtOnce("vain"))).to.deep.equal(["vain", "refused"]);
  });

  it("lets nobody wait beyond the limit, and gives no place to a caller that has gone", async () => {
    const { ask } = asking(1, 50);
    const first = ask();
    const gone = ask();
    expect(await gone).to.equal("PrivateServiceUnavailable: auth does not answer");
    const late = ask();
    asked[0]?.answer("good");
    expect(await first).to.equal("good");
    await turnOfEventLoop();
    expect(asked).to.have.length(2);
    asked[1]?.answer("vain");
    expect(await late).to.equal("vain");
  });

  it("remembers ten thousand parties, and forgives the longest unused first", async () => {
    const { askAtOnce } = asking(1);
    for (let party = 0; party < 10_000; party += 1) await askAtOnce("vain", `${party}`);
    expect(await askAtOnce("vain", "0")).to.equal("refused");
    await askAtOnce("vain", "10000");
    expect(await askAtOnce("vain", "0")).to.equal("refused");
    expect(await askAtOnce("vain", "1")).to.equal("vain");
  });
});
