import type { PrivateAnswer, Round } from "@cobs/service-edge";
import { expect } from "chai";
import { followSignings } from "../../../packages/resource/src/signing/follow-signings.ts";
import { queueRequests } from "../../../packages/resource/src/signing/queue-requests.ts";
import { signingAtAuth } from "../../../packages/resource/src/signing/signing-at-auth.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { readableLog } from "../../support/readable-log.ts";
import { requestNamed } from "../payments/sample-payments.ts";

const never = () => Promise.reject(new TypeError("nobody should ask"));
const UNKNOWN = { status: 404, body: '{"error":"request_unknown"}' };
const UNAVAILABLE = { status: 503, body: '{"error":"server_error"}' };

describe("The job that takes what PSUs decide", () => {
  /** Rounds are turned by hand; auth gives these answers, one after the other. */
  function follow(answers: readonly Pick<PrivateAnswer, "status" | "body">[]) {
    const { log, lines } = readableLog();
    const rounds = new Map<string, Round>();
    const [asked, taken]: [string[], string[]] = [[], []];
    const leases: number[] = [];
    const queued = { ...queueRequests(), wait: async () => {} };
    const get = async (path: string) => {
      asked.push(path);
      const answer = answers[asked.length - 1] ?? UNKNOWN;
      return { ...answer, header: () => undefined };
    };
    followSignings({
      store: {
        takeApproval: never,
        takeRefusal: never,
        takeExpiry: never,
        takeConsentEnd: never,
        takeCancellation: async (requestId) => {
          taken.push(requestId);
          return { result: "unknown" };
        },
        dueForLookUp: async ({ leaseMilliseconds }) => {
          leases.push(leaseMilliseconds);
          return [];
        },
      },
      authority: signingAtAuth({ get, postJson: never, delete: never }),
      queued,
      clock: movableClock(),
      log,
      countJob: (name) => (round, fail) => {
        rounds.set(name, (signal) => round(signal).catch(fail));
        return { stop: async () => {} };
      },
    });
    queued.put(requestNamed("R-1"));
    const turnOf = (name: string) => rounds.get(name)?.(new AbortController().signal);
    const turn = () => turnOf("signings_taking");
    return { turn, sweep: () => turnOf("signings_sweeping"), asked, taken, leases, lines };
  }

  it("asks again, after a pause, about a request while auth's database is unreachable, and logs nothing", async () => {
    const { turn, taken, lines } = follow([UNAVAILABLE]);
    expect(await turn()).to.equal(500);
    expect(taken).to.deep.equal([]);
    expect(await turn()).to.equal(0);
    expect(taken).to.deep.equal(["R-1"]);
    expect(lines).to.deep.equal([]);
  });

  it("leaves a request to the sweep when auth's answer cannot be believed", async () => {
    const { turn, asked, lines } = follow([{ status: 500, body: "" }]);
    await turn();
    await turn();
    expect(asked).to.have.length(1);
    expect(lines.map(({ msg }) => msg)).to.deep.equal([
      "the decision of a PSU could not be fetched from auth",
    ]);
  });

  it("looks every two seconds for requests of which it has heard nothing for half a minute", async () => {
    const { sweep, leases } = follow([]);
    expect(await sweep()).to.equal(2_000);
    expect(leases).to.deep.equal([30_000]);
  });
});
