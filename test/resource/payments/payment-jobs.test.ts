import { expect } from "chai";
import type { Forgetting } from "../../../packages/resource/src/payments/payment-store.ts";
import { startForgettingPayments } from "../../../packages/resource/src/payments/start-payment-jobs.ts";
import { eventually } from "../../support/eventually.ts";
import { readableLog } from "../../support/readable-log.ts";

const DAY = 24 * 60 * 60_000;

describe("The jobs of payments", () => {
  it("delete payments after the days of retention, and idempotency keys after one", async () => {
    const { log } = readableLog();
    const asked: Forgetting[] = [];
    const forgetOld = async (forgetting: Forgetting) => {
      asked.push(forgetting);
      return 0;
    };
    const job = startForgettingPayments({ store: { forgetOld }, log }, 400);
    await eventually(() => asked.length > 0);
    await job.stop();
    expect(asked).to.deep.equal([{ finishedMilliseconds: 400 * DAY, keysMilliseconds: DAY, limit: 1_000 }]);
  });
});
