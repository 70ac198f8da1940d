import { expect } from "chai";
import type { Forgetting } from "../../../packages/resource/src/payments/payment-store.ts";
import { startForgettingPayments } from "../../../packages/resource/src/payments/start-forgetting-payments.ts";
import { eventually } from "../../support/eventually.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";

const DAY = 24 * 60 * 60_000;

describe("Deletion of old payments", () => {
  it("removes payments after the retention days, and idempotency keys after one day", async () => {
    const { log } = readableLog();
    const asked: Forgetting[] = [];
    const forgetOld = async (forgetting: Forgetting) => {
      asked.push(forgetting);
      return 0;
    };
    const clocks = { database: { run: async () => [] }, clock: movableClock() };
    const job = startForgettingPayments({ ...clocks, store: { forgetOld }, log }, 400);
    await eventually(() => asked.length > 0);
    await job.stop();
    expect(asked).to.deep.equal([{ finishedMilliseconds: 400 * DAY, keysMilliseconds: DAY, limit: 1_000 }]);
  });
});
