import { expect } from "chai";
import { createPaymentId } from "../../../packages/resource/src/payments/payment-ids.ts";
import type {
  Forgetting,
  OverduePlace,
  PaymentAct,
} from "../../../packages/resource/src/payments/payment-store.ts";
import {
  startExpiringPayments,
  startForgettingPayments,
} from "../../../packages/resource/src/payments/start-payment-jobs.ts";
import { eventually } from "../../support/eventually.ts";
import { readableLog } from "../../support/readable-log.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { NOW } from "./sample-payments.ts";

const PLACE = { expiresAt: NOW, paymentId: createPaymentId() };
type Round = (signal: AbortSignal) => Promise<number>;

const DAY = 24 * 60 * 60_000;
const clock = { now: () => NOW, monotonicMilliseconds: () => 0 };

describe("The jobs of payments", () => {
  it("end unsigned payments batch after batch, until there are none, and stop", async () => {
    const { log } = readableLog();
    const places = [PLACE, { ...PLACE, paymentId: createPaymentId() }];
    const asked: [PaymentAct, OverduePlace | undefined][] = [];
    const expireUnsigned = async (_limit: number, by: PaymentAct, after?: OverduePlace) => {
      asked.push([by, after]);
      return { ended: [], failures: [], last: places[asked.length - 1] };
    };
    const job = startExpiringPayments({ store: { expireUnsigned }, clock, log });
    await eventually(() => asked.length >= 3);
    await job.stop();
    const by = { now: NOW, requestId: undefined };
    expect(asked).to.deep.equal([undefined, ...places].map((after) => [by, after]));
  });

  it("end those behind unsigned payments that cannot be ended, are told of, and tried again after the last", async () => {
    const { log } = readableLog();
    const places: (OverduePlace | undefined)[] = [];
    const expireUnsigned = async (_limit: number, _by: PaymentAct, after?: OverduePlace) => {
      places.push(after);
      if (after !== undefined) return { ended: [createPaymentId()], failures: [], last: undefined };
      return { ended: [], failures: [new Error("one"), new Error("another")], last: PLACE };
    };
    const rounds: Round[] = [];
    const again = (round: Round) => ({ stop: async () => void rounds.push(round) });
    await startExpiringPayments({ store: { expireUnsigned }, clock, log, again }).stop();
    const next = async () => rounds[0]?.(new AbortController().signal);
    const failure = await rejectionOf(next());
    expect(failure).to.have.nested.property("errors[1].message", "another");
    await next();
    await rejectionOf(next());
    expect(places).to.deep.equal([undefined, PLACE, undefined]);
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
