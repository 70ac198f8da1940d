import { setTimeout as delay } from "node:timers/promises";
import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import {
  createPaymentId,
  createSignId,
  findSigningRequestId,
} from "../../../packages/resource/src/payments/payment-ids.ts";
import { followPaymentConsents } from "../../../packages/resource/src/signing/follow-payment-consents.ts";
import { followSignings } from "../../../packages/resource/src/signing/follow-signings.ts";
import { queuePayers } from "../../../packages/resource/src/signing/queue-payers.ts";
import { queueRequests } from "../../../packages/resource/src/signing/queue-requests.ts";
import { eventually } from "../../support/eventually.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { sampleTerms } from "../payments/sample-payments.ts";

const MANY = Array.from({ length: 50 }, (_, number) => number);

/** Auth says nothing until its caller gives up. */
function silentAuth() {
  const asked: unknown[] = [];
  const ask = async (about: unknown): Promise<never> => {
    asked.push(about);
    await delay(20);
    throw new PrivateServiceUnavailable("auth", { cause: "silence" });
  };
  return { asked, ask };
}

const never = () => Promise.reject(new TypeError("nobody should ask"));
const TAKING = {
  takeApproval: never,
  takeRefusal: never,
  takeExpiry: never,
  takeCancellation: never,
  takeConsentEnd: never,
};

describe("Stopping the jobs that ask auth while it is silent", () => {
  const parts = () => ({ clock: movableClock(), log: readableLog().log });
  const requestNamed = (name: string) => {
    const request = findSigningRequestId(name);
    if (request === undefined) throw new TypeError("no id");
    return request;
  };

  it("waits for the question under way, and leaves all other decisions to the next process", async () => {
    const { asked, ask } = silentAuth();
    const queued = queueRequests();
    for (const number of MANY) queued.put(requestNamed(`told-${number}`));
    const due = MANY.map((number) => ({
      paymentId: createPaymentId(),
      signId: createSignId(),
      requestId: requestNamed(`due-${number}`),
      isOverdue: number % 2 === 0,
    }));
    const following = followSignings({
      ...parts(),
      store: { ...TAKING, dueForLookUp: async () => due },
      authority: { find: ask, cancel: ask },
      queued,
    });
    await eventually(() => asked.length > 1);
    await following.stop();
    expect(asked).to.have.length.below(MANY.length / 2);
  });

  it("waits for the payer who is being asked about, and for no other one", async () => {
    const { asked, ask } = silentAuth();
    const { organisationIdentifier } = sampleTerms();
    const waiting = MANY.map((number) => ({
      organisationIdentifier,
      applicationId: parseApplicationId("application-1"),
      psu: parsePsuId(`psu-${number}`),
    }));
    const payers = queuePayers();
    payers.put({});
    const following = followPaymentConsents({
      ...parts(),
      store: {
        ...TAKING,
        waitingPayers: async () => waiting,
        findUnasked: never,
        attachKnown: never,
        endWaiting: never,
      },
      authority: { hasConsentEnded: ask, findKnown: never, cancel: never },
      payers,
    });
    await eventually(() => asked.length > 0);
    await following.stop();
    expect(asked).to.have.length.below(MANY.length / 2);
  });
});
