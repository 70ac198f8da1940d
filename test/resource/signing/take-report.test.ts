import { expect } from "chai";
import type {
  SigningReport,
  SigningState,
} from "../../../packages/resource/src/signing/signing-authority.ts";
import { type ReportParts, takeReport } from "../../../packages/resource/src/signing/take-report.ts";
import { createWakingQueue } from "../../../packages/resource/src/signing/waking-queue.ts";
import { readableLog } from "../../support/readable-log.ts";
import { startWaiting } from "../../support/stopwatch.ts";
import { approvalNamed, requestNamed } from "../payments/sample-payments.ts";

const REQUEST = requestNamed("R-1");
const APPROVAL = {
  id: approvalNamed("A-1"),
  requestId: REQUEST,
  digest: Buffer.alloc(32),
  methods: ["totp"],
  approvedAt: new Date(0),
};

describe("Auth's report on a request", () => {
  const states: readonly (readonly [SigningState | undefined, string])[] = [
    [{ state: "waiting" }, ""],
    [{ state: "approved", approval: APPROVAL }, "takeApproval"],
    [{ state: "refused", reason: "declined" }, "takeRefusal"],
    [{ state: "expired" }, "takeExpiry"],
    [{ state: "cancelled", because: undefined }, "takeCancellation"],
    [{ state: "cancelled", because: "consent_ended" }, "takeConsentEnd"],
    [undefined, "takeCancellation"],
  ];
  for (const [state, act] of states)
    it(`is recorded with its payment: ${JSON.stringify(state ?? "that there is none")}`, async () => {
      const taken: string[] = [];
      const take = (name: string) => async () => {
        taken.push(name);
        return { result: "unknown" } as const;
      };
      const store: ReportParts["store"] = {
        takeApproval: take("takeApproval"),
        takeRefusal: take("takeRefusal"),
        takeExpiry: take("takeExpiry"),
        takeCancellation: take("takeCancellation"),
        takeConsentEnd: take("takeConsentEnd"),
      };
      const report: SigningReport | undefined = state && {
        ...state,
        requestId: REQUEST,
        url: "https://auth",
      };
      const by = { now: new Date(), requestId: undefined };
      await takeReport({ store, log: readableLog().log }, { requestId: REQUEST, report }, by);
      expect(taken.join()).to.equal(act);
    });
});

describe("A queue that wakes its waiting reader", () => {
  const never = new AbortController().signal;
  const HOUR = 3_600_000;

  it("wakes the reader for a new item, and lets nobody wait for one that is there", async () => {
    const queue = createWakingQueue<string>(1);
    const waited = startWaiting();
    const waiting = queue.wait(HOUR, never);
    queue.put("a", "first");
    await waiting;
    await queue.wait(HOUR, never);
    expect(waited()).to.be.below(5_000);
    expect(queue.takeAll()).to.deep.equal(["first"]);
  });

  it("replaces an item that is queued already even when full, and says when there is no room", () => {
    const queue = createWakingQueue<string>(1);
    expect([queue.put("a", "1"), queue.put("a", "2"), queue.put("b", "3")]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(queue.takeAll()).to.deep.equal(["2"]);
  });
});
