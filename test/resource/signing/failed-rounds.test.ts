import { parseApplicationId, parsePsuId } from "@cobs/cobs-model";
import {
  type CountJob,
  createJobMetrics,
  createMetrics,
  PrivateServiceUnavailable,
} from "@cobs/service-edge";
import { expect } from "chai";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import { followPaymentConsents } from "../../../packages/resource/src/signing/follow-payment-consents.ts";
import { followSignings } from "../../../packages/resource/src/signing/follow-signings.ts";
import { queuePayers } from "../../../packages/resource/src/signing/queue-payers.ts";
import { queueRequests } from "../../../packages/resource/src/signing/queue-requests.ts";
import { eventually } from "../../support/eventually.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { requestNamed, sampleTerms } from "../payments/sample-payments.ts";

const never = () => Promise.reject(new TypeError("nobody should ask"));
const TAKING = {
  takeApproval: never,
  takeRefusal: never,
  takeExpiry: never,
  takeCancellation: never,
  takeConsentEnd: never,
};
const PAYER = {
  organisationIdentifier: sampleTerms().organisationIdentifier,
  applicationId: parseApplicationId("application-1"),
  psu: parsePsuId("anna"),
};

/** The second round would begin after the test. */
function oneRoundOf(countJob: CountJob): CountJob {
  const thenPause = (_: number) => 60_000;
  return (name) => (round, fail) =>
    countJob(name)(
      (signal) => round(signal).then(thenPause),
      (error) => thenPause(fail(error)),
    );
}

describe("The jobs that ask auth about payments", () => {
  /** Auth answers with this about all of two requests and a payer; gives the rounds of each job by how they ended. */
  async function roundsWhere(failure: Error, ofRequest: Readonly<Record<string, Error>> = {}) {
    const metrics = createMetrics("test");
    const { log, lines } = readableLog();
    const countJob = oneRoundOf(createJobMetrics(metrics, log));
    const parts = { clock: movableClock(), log };
    const asked = new Set<string>();
    const ask = (job: string) => (about: unknown) => {
      asked.add(job);
      return Promise.reject(ofRequest[String(about)] ?? failure);
    };
    const [queued, payers] = [queueRequests(), queuePayers()];
    queued.put(requestNamed("told-1"));
    queued.put(requestNamed("told-2"));
    payers.put({});
    const due = [{ paymentId: createPaymentId(), signId: createSignId(), requestId: requestNamed("due") }];
    const jobs = [
      followSignings({
        ...parts,
        store: { ...TAKING, dueForLookUp: async () => due.map((each) => ({ ...each, isOverdue: true })) },
        authority: { find: ask("signings_taking"), cancel: ask("signings_sweeping") },
        queued,
        countJob,
      }),
      followPaymentConsents({
        ...parts,
        store: {
          ...TAKING,
          waitingPayers: async () => [PAYER],
          findUnasked: never,
          attachKnown: never,
          endWaiting: never,
        },
        authority: { hasConsentEnded: ask("payment_consents"), findKnown: never, cancel: never },
        payers,
        countJob,
      }),
    ];
    const rounds = async () => {
      const { body } = await metrics.present();
      const counted = [...body.matchAll(/^job_rounds_total\{name="(\w+)",outcome="(\w+)".*\} ([1-9])/gm)];
      return new Set(counted.map(([, name, outcome]) => `${name} ${outcome}`));
    };
    await eventually(async () => asked.size === 3 && (await rounds()).size >= 3);
    await Promise.all(jobs.map((job) => job.stop()));
    return { rounds: [...(await rounds())].sort(), lines };
  }

  it("count a round as failed when auth's answer cannot be accepted, and log each failure once", async () => {
    const { rounds, lines } = await roundsWhere(new Error("an answer of nonsense"));
    expect(rounds).to.deep.equal([
      "payment_consents failed",
      "signings_sweeping failed",
      "signings_taking failed",
    ]);
    const told = lines.filter(({ level }) => level === 50).map(({ msg }) => msg);
    expect(told).to.have.members([
      "the decision of a PSU could not be fetched from auth",
      "the decision of a PSU could not be fetched from auth",
      "payments could not be ended with their consents",
    ]);
  });

  it("count a round as done while auth is away, which others report", async () => {
    const { rounds, lines } = await roundsWhere(new PrivateServiceUnavailable("auth", { cause: "silence" }));
    expect(rounds).to.deep.equal(["payment_consents done", "signings_sweeping done", "signings_taking done"]);
    expect(lines).to.deep.equal([]);
  });

  it("log the reason of each failure, not only of the first", async () => {
    const failures = { "told-1": new Error("one reason"), "told-2": new Error("another reason") };
    const { lines } = await roundsWhere(new Error("an answer of nonsense"), failures);
    const texts = JSON.stringify(lines.filter(({ level }) => level === 50));
    for (const { message } of Object.values(failures)) expect(texts).to.include(message);
  });

  it("log which request or whose payments the first failure of each reason was about, but not which PSU's", async () => {
    const failures = { "told-1": new Error("one reason"), "told-2": new Error("another reason") };
    const { lines } = await roundsWhere(new Error("an answer of nonsense"), failures);
    const told = lines.filter(({ level }) => level === 50);
    expect(told.flatMap(({ signing }) => signing ?? [])).to.have.members(["told-1", "told-2", "due"]);
    const { organisationIdentifier, applicationId, psu } = PAYER;
    const [ofPayer] = told.filter(({ signing }) => signing === undefined);
    expect(ofPayer).to.include({ organisationIdentifier, applicationId });
    expect(JSON.stringify(lines)).to.not.include(psu);
  });
});
