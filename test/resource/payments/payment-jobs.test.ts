import { expect } from "chai";
import { createPaymentId } from "../../../packages/resource/src/payments/payment-ids.ts";
import type { Forgetting, PaymentAct } from "../../../packages/resource/src/payments/payment-store.ts";
import {
  startExpiringPayments,
  startForgettingPayments,
} from "../../../packages/resource/src/payments/start-payment-jobs.ts";
import { eventually } from "../../support/eventually.ts";
import { readableLog } from "../../support/readable-log.ts";
import { NOW } from "./sample-payments.ts";

const DAY = 24 * 60 * 60_000;
const clock = { now: () => NOW, monotonicMilliseconds: () => 0 };

describe("The jobs of payments", () => {
  it("end unsigned payments batch after batch, until there are none, and stop", async () => {
    const { log } = readableLog();
    const left = [100, 100, 7];
    const asked: PaymentAct[] = [];
    const expireUnsigned = async (_limit: number, by: PaymentAct) => {
      asked.push(by);
      return Array.from({ length: left[asked.length - 1] ?? 0 }, createPaymentId);
    };
    const job = startExpiringPayments({ store: { expireUnsigned }, clock, log });
    await eventually(() => asked.length >= 3);
    await job.stop();
    expect(asked).to.have.length(3);
    expect(asked[0]).to.deep.equal({ now: NOW, requestId: undefined });
  });

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

  it("tell of what goes wrong, and go on after a while", async () => {
    const { log, lines } = readableLog();
    const expireUnsigned = () => Promise.reject(new Error("something"));
    const job = startExpiringPayments({ store: { expireUnsigned }, clock, log });
    await eventually(() => lines.some(({ msg }) => msg === "payments could not be ended"));
    await job.stop();
  });
});
