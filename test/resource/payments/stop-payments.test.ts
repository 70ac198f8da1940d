import { openSandboxBank } from "@cobs/resource/sandbox";
import { createMetrics, openDatabase, type PrivateClient, Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { openPayments } from "../../../packages/resource/src/open-payments.ts";
import { createLifecycle } from "../../../packages/service-edge/src/lifecycle/lifecycle.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";

const never = () => Promise.reject(new TypeError("nobody should ask"));
const peer: PrivateClient = {
  get: never,
  postForm: never,
  postJson: never,
  delete: never,
  close: async () => {},
};

describe("Stopping the background jobs of payments", () => {
  it("stops all at once, so that one waiting for a silent database does not keep another going", async () => {
    const { log } = readableLog();
    const lifecycle = createLifecycle(log);
    // Nobody connects to it.
    const url = new Secret("postgresql://nobody@127.0.0.1:1/nothing");
    const database = openDatabase({ url, maxConnections: 1, applicationName: "test", log });
    const [begun, told]: [string[], string[]] = [[], []];
    let tellAll = () => {};
    const allAreTold = new Promise<void>((resolve) => {
      tellAll = resolve;
    });
    const bank = openSandboxBank(database);
    const countJob = (job: string) => {
      begun.push(job);
      return () => ({
        stop: () => {
          told.push(job);
          if (told.length === begun.length) tellAll();
          return allAreTold;
        },
      });
    };
    openPayments(
      { bank, orders: bank, instantOrders: bank },
      { database, clock: movableClock(), log, peer, metrics: createMetrics("test"), lifecycle, countJob },
      {
        bank: { kind: "sandbox", settlementSeconds: 0 },
        paymentsPerMinute: 1,
        unsignedPaymentMinutes: 1,
        paymentRetentionDays: 1,
      },
    );
    expect(begun).to.have.members([
      "payment_consents",
      "payment_execution",
      "payment_places",
      "payments_expiry",
      "payments_forgetting",
      "signings_sweeping",
      "signings_taking",
    ]);
    await lifecycle.stop();
    expect(told).to.have.members(begun);
    await database.close();
  });
});
