import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { BankRefusal } from "../../packages/resource/src/bank/bank-refusal.ts";
import {
  CoreUnavailable,
  type CoreUnavailableCode,
} from "../../packages/resource/src/bank/core-unavailable.ts";
import {
  type CircuitName,
  type CoreCircuits,
  createCoreCircuits,
} from "../../packages/resource/src/bank/http-connector/core-circuits.ts";
import {
  CORE_OPERATIONS,
  type CoreOperation,
} from "../../packages/resource/src/bank/http-connector/core-questions.ts";
import { type MovableClock, movableClock } from "../support/movable-clock.ts";
import { readableLog } from "../support/readable-log.ts";
import { rejectionOf } from "../support/rejection.ts";

/** Failures about so many PSUs open a circuit that nothing speaks for; so do as many about one PSU, for this one. */
const ENOUGH = 5;
const LONGEST_PAUSE_MILLISECONDS = 10_000;

const answered = async () => "answered";
const failing = (code: CoreUnavailableCode) => async (): Promise<string> => {
  throw new CoreUnavailable(code, "as the test wants it");
};

describe("the circuits of a core system", () => {
  let circuits: CoreCircuits;
  let clock: MovableClock;
  let logLines: readonly Record<string, unknown>[];
  /** What the library that measures the pauses reads as the machine's time: it stands still until a test moves it. */
  let machineTime: number;
  const machineNow = Date.now;
  beforeEach(() => {
    const { log, lines } = readableLog();
    logLines = lines;
    clock = movableClock();
    circuits = createCoreCircuits(log, clock);
    machineTime = machineNow();
    Date.now = () => machineTime;
  });
  afterEach(() => {
    Date.now = machineNow;
  });

  /** A PSU that nobody has asked about. */
  const somebody = (): string => randomUUID();
  const endOf = (
    operation: CoreOperation,
    task: () => Promise<string>,
    party = somebody(),
  ): Promise<string> =>
    circuits.run({ operation, party }, task).catch((error: unknown) => {
      if (error instanceof CoreUnavailable || error instanceof BankRefusal) return error.code;
      throw error;
    });
  const open = (): readonly CircuitName[] =>
    circuits.states().flatMap(([name, isOpen]) => (isOpen ? [name] : []));
  const failOften = async (operation: CoreOperation, code: CoreUnavailableCode, times = ENOUGH) => {
    for (let call = 0; call < times; call += 1) await endOf(operation, failing(code));
  };
  /** Lets the longest pause pass, and gives how the call ended that tries after it. */
  const tryWith = async (operation: CoreOperation, task: () => Promise<string>): Promise<string> => {
    expect(await endOf(operation, task), "before the pause is over").to.equal("core_circuit_open");
    machineTime += LONGEST_PAUSE_MILLISECONDS;
    return endOf(operation, task);
  };

  for (const code of [
    "core_timed_out",
    "answer_cut",
    "answer_broken",
    "answer_throttled",
    "answer_status",
  ] as const) {
    it(`open only for the kind of question that fails: ${code}`, async () => {
      await failOften("transactions", code);
      expect(open()).to.deep.equal(["transactions"]);
      expect(await endOf("transactions", answered)).to.equal("core_circuit_open");
      for (const operation of CORE_OPERATIONS.filter((each) => each !== "transactions"))
        expect(await endOf(operation, answered), operation).to.equal("answered");
      expect(logLines).to.have.length(1);
      expect(logLines[0]).to.include({ operation: "transactions" });
    });
  }

  it("stay closed until calls about five PSUs have failed", async () => {
    await failOften("transactions", "core_timed_out", ENOUGH - 1);
    expect(open()).to.deep.equal([]);
    await failOften("transactions", "core_timed_out", 1);
    expect(open()).to.deep.equal(["transactions"]);
  });

  it("stay closed until calls have failed about more PSUs than were answered", async () => {
    for (let call = 0; call < 2 * ENOUGH; call += 1) await endOf("transactions", answered);
    await failOften("transactions", "core_timed_out", 2 * ENOUGH);
    expect(open()).to.deep.equal([]);
    await failOften("transactions", "core_timed_out", 1);
    expect(open()).to.deep.equal(["transactions"]);
  });

  describe("when the failures are all about one PSU", () => {
    const SLOW = "psu-slow";
    const failSlowly = async (times: number) => {
      for (let call = 0; call < times; call += 1)
        await endOf("transactions", failing("core_timed_out"), SLOW);
    };

    it("stop after five, and only what is of this kind and about this PSU", async () => {
      await failSlowly(ENOUGH);
      expect(await endOf("transactions", answered, SLOW)).to.equal("core_circuit_open");
      expect(await endOf("balances", answered, SLOW)).to.equal("answered");
      expect(await endOf("transactions", answered, "psu-fast")).to.equal("answered");
      expect(await endOf("transactions", answered)).to.equal("answered");
      expect(open()).to.deep.equal([]);
      expect(logLines).to.deep.equal([]);
    });

    it("count them once among those of others", async () => {
      await failSlowly(50);
      await failOften("transactions", "core_timed_out", ENOUGH - 2);
      expect(open()).to.deep.equal([]);
      await failOften("transactions", "core_timed_out", 1);
      expect(open()).to.deep.equal(["transactions"]);
    });

    it("resume by themselves", async () => {
      await failSlowly(ENOUGH);
      machineTime += LONGEST_PAUSE_MILLISECONDS;
      expect(await endOf("transactions", answered, SLOW)).to.equal("answered");
    });

    it("name the PSU's circuit in the refusal's detail, and not the PSU", async () => {
      await failSlowly(ENOUGH);
      const refusal = await rejectionOf(circuits.run({ operation: "transactions", party: SLOW }, answered));
      const detail = "it is not asked about this PSU for a while, after too many failures";
      expect(refusal).to.have.property("detail", detail);
    });

    it("forget a PSU once two hundred others have failed", async () => {
      const failOnce = async (others: number) => {
        for (let other = 0; other < others; other += 1)
          for (const task of [failing("core_timed_out"), answered])
            await endOf("transactions", task, `psu-${other}`);
      };
      await failSlowly(ENOUGH);
      await failOnce(199);
      expect(await endOf("transactions", answered, SLOW)).to.equal("core_circuit_open");
      await failOnce(200);
      expect(await endOf("transactions", answered, SLOW)).to.equal("answered");
    });
  });

  it("count every failure of a question that is about nobody", async () => {
    for (let call = 0; call < ENOUGH; call += 1)
      await circuits.run({ operation: "terms" }, failing("core_timed_out")).catch(() => undefined);
    expect(open()).to.deep.equal(["terms"]);
  });

  it("let no PSU try for all whose call has failed within ten seconds", async () => {
    for (const psu of ["a", "b", "c", "d", "e"]) await endOf("transactions", failing("core_timed_out"), psu);
    machineTime += 60_000;
    clock.advance(9_999);
    expect(await endOf("transactions", answered, "a")).to.equal("core_circuit_open");
    clock.advance(1);
    expect(await endOf("transactions", answered, "a")).to.equal("answered");
    expect(open()).to.deep.equal([]);
  });

  describe("of questions that count in none", () => {
    const askUncounted = (task: () => Promise<string>) =>
      rejectionOf(circuits.run({ operation: "order-progress", party: somebody(), counts: false }, task));

    for (const code of ["answer_status", "core_unreachable"] as const)
      it(`stay closed, however many fail: ${code}`, async () => {
        for (let call = 0; call < 2 * ENOUGH; call += 1)
          expect(await askUncounted(failing(code))).to.include({ code });
        expect(open()).to.deep.equal([]);
        expect(await endOf("order-progress", answered)).to.equal("answered");
      });

    for (const [name, code] of [
      ["order-progress", "answer_status"],
      ["all", "core_unreachable"],
    ] as const)
      it(`refuse them while open, and are not tried with them: ${name}`, async () => {
        await failOften("order-progress", code);
        let asked = 0;
        await tryWith("order-progress", async () => {
          const refused = await askUncounted(async () => {
            asked += 1;
            return "answered";
          });
          expect(refused).to.include({ code: "core_circuit_open" });
          return "answered";
        });
        expect([asked, open()]).to.deep.equal([0, []]);
      });
  });

  it("open for all questions when the core system cannot be reached", async () => {
    for (const operation of CORE_OPERATIONS.slice(0, ENOUGH))
      await failOften(operation, "core_unreachable", 1);
    expect(open()).to.deep.equal(["all"]);
    for (const operation of CORE_OPERATIONS)
      expect(await endOf(operation, answered), operation).to.equal("core_circuit_open");
  });

  for (const code of ["answer_malformed", "answer_too_large", "answer_refused", "core_busy"] as const) {
    it(`stay closed on a failure that does not mean the core system is down: ${code}`, async () => {
      await failOften("balances", code, 50);
      expect(open()).to.deep.equal([]);
    });
  }

  it("stay closed on a refusal that the contract provides for", async () => {
    const refuse = async (): Promise<string> => {
      throw new BankRefusal("account_unknown");
    };
    for (let call = 0; call < 50; call += 1)
      expect(await endOf("balances", refuse)).to.equal("account_unknown");
    expect(open()).to.deep.equal([]);
  });

  it("open for all although one kind's circuit is open already and is asked all the time", async () => {
    await failOften("transactions", "core_timed_out");
    for (let call = 0; call < 1_000; call += 1) await endOf("transactions", answered);
    await failOften("balances", "core_unreachable", 2 * ENOUGH);
    expect(open()).to.deep.equal(["all", "transactions"]);
  });

  it("let one trial call through although the wall clock was set back by an hour", async () => {
    await failOften("transactions", "core_timed_out");
    machineTime -= 3_600_000;
    expect(await endOf("transactions", failing("core_timed_out"))).to.equal("core_timed_out");
    expect(await tryWith("transactions", answered)).to.equal("answered");
    expect(open()).to.deep.equal([]);
    expect(logLines.at(-1)).to.include({ msg: "the core system answers again" });
  });

  it("pause about a second before the first trial, then longer, up to ten seconds", async () => {
    const { random } = Math;
    const isTriedAfter = async (milliseconds: number): Promise<boolean> => {
      machineTime += milliseconds;
      return (await endOf("transactions", failing("core_timed_out"))) === "core_timed_out";
    };
    try {
      // The pauses are of chance; this is the middle of it.
      Math.random = () => 0.5;
      await failOften("transactions", "core_timed_out");
      expect([await isTriedAfter(500), await isTriedAfter(1_000)]).to.deep.equal([false, true]);
      expect(await isTriedAfter(1_000), "the second").to.equal(false);
      for (let tries = 1; tries < 10; tries += 1) expect(await isTriedAfter(10_000)).to.equal(true);
      expect([await isTriedAfter(9_000), await isTriedAfter(1_000)]).to.deep.equal([false, true]);
    } finally {
      Object.assign(Math, { random });
    }
  });

  it("let one trial call through, refuse others meanwhile, and close when it is answered", async () => {
    await failOften("transactions", "core_timed_out");
    let answer: (value: string) => void = () => undefined;
    let tries = 0;
    const slow = () => {
      tries += 1;
      return new Promise<string>((resolve) => {
        answer = resolve;
      });
    };
    machineTime += LONGEST_PAUSE_MILLISECONDS;
    const trial = endOf("transactions", slow);
    expect(await endOf("transactions", answered)).to.equal("core_circuit_open");
    expect(open(), "while one call tries").to.deep.equal(["transactions"]);
    answer("answered");
    expect(await trial).to.equal("answered");
    expect(open()).to.deep.equal([]);
    expect(tries).to.equal(1);
  });

  it("stay open when a trial got no turn, and close when a later one is answered", async () => {
    await failOften("transactions", "core_timed_out");
    expect(await tryWith("transactions", failing("core_busy"))).to.equal("core_busy");
    expect(open()).to.deep.equal(["transactions"]);
    expect(await tryWith("transactions", answered)).to.equal("answered");
    expect(open()).to.deep.equal([]);
  });

  it("stay open for all when a trial got no turn", async () => {
    await failOften("accounts", "core_unreachable");
    expect(await tryWith("transactions", failing("core_busy"))).to.equal("core_busy");
    expect(open()).to.deep.equal(["all"]);
  });

  it("stay open for one kind whose trial finds the core system unreachable", async () => {
    await failOften("transactions", "core_timed_out");
    expect(await tryWith("transactions", failing("core_unreachable"))).to.equal("core_unreachable");
    expect(open()).to.deep.equal(["transactions"]);
  });

  it("close for all when a trial reaches the core system, even if its answer is too slow", async () => {
    await failOften("accounts", "core_unreachable");
    expect(await tryWith("transactions", failing("core_timed_out"))).to.equal("core_timed_out");
    expect(open()).to.deep.equal([]);
    expect(await endOf("balances", answered)).to.equal("answered");
  });

  it("are reported open for five minutes when nobody asks, and not after that", async () => {
    await failOften("transactions", "core_timed_out");
    clock.advance(299_999);
    expect(open()).to.deep.equal(["transactions"]);
    clock.advance(1);
    expect(open()).to.deep.equal([]);
    expect(await tryWith("transactions", failing("core_timed_out"))).to.equal("core_timed_out");
    expect(open(), "the next try fails").to.deep.equal(["transactions"]);
  });
});
