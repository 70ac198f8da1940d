import { repeat, soonAfterStart } from "@cobs/service-edge";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";

const HOUR = 3_600_000;
const noFailure = (error: unknown): never => {
  throw error;
};

describe("repeat", () => {
  it("runs one round after the other, with the pause that each asks for", async () => {
    const rounds: number[] = [];
    const repeated = repeat(
      async () => rounds.push(rounds.length) && (rounds.length < 3 ? 0 : HOUR),
      noFailure,
    );
    await eventually(() => rounds.length === 3);
    await repeated.stop();
    expect(rounds).to.have.lengthOf(3);
  });

  it("goes on after a failed round, with the pause that the failure asks for", async () => {
    const failures: unknown[] = [];
    let rounds = 0;
    const repeated = repeat(
      async () => {
        rounds += 1;
        if (rounds === 1) throw new Error("first");
        return HOUR;
      },
      (error) => {
        failures.push(error);
        return 0;
      },
    );
    await eventually(() => rounds === 2);
    await repeated.stop();
    expect(failures.map(String)).to.deep.equal(["Error: first"]);
  });

  it("signals and awaits the round under way when stopped, and begins no other", async () => {
    const order: string[] = [];
    const repeated = repeat(
      (signal) =>
        new Promise((_resolve, reject) => {
          order.push("begun");
          signal.addEventListener("abort", () => {
            order.push("given up");
            setImmediate(() => {
              order.push("over");
              reject(signal.reason);
            });
          });
        }),
      noFailure,
    );
    await repeated.stop();
    order.push("stopped");
    expect(order).to.deep.equal(["begun", "given up", "over", "stopped"]);
  });

  it("runs no round when stopped during its first pause", async () => {
    let rounds = 0;
    const repeated = repeat(async () => (rounds += 1), noFailure, HOUR);
    await repeated.stop();
    expect(rounds).to.equal(0);
  });

  it("begins what nobody waits for a second or two after the start, at a different time in each process", () => {
    const pauses = Array.from({ length: 50 }, soonAfterStart);
    for (const pause of pauses) expect(pause).to.be.within(1_000, 2_000);
    expect(new Set(pauses).size).to.be.greaterThan(40);
  });
});
