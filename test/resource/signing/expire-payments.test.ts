import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import type {
  NamedSigning,
  OverduePayment,
} from "../../../packages/resource/src/payments/overdue-payments.ts";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import {
  type ExpiryParts,
  startExpiringPayments,
} from "../../../packages/resource/src/signing/expire-payments.ts";
import { SigningRefusal } from "../../../packages/resource/src/signing/signing-refusal.ts";
import { eventually } from "../../support/eventually.ts";
import { readableLog } from "../../support/readable-log.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { NOW, requestNamed } from "../payments/sample-payments.ts";

const BY = { now: NOW, requestId: undefined };
const clock = { now: () => NOW, monotonicMilliseconds: () => 0 };
type Round = (signal: AbortSignal) => Promise<number>;

const overduePayment = (signing: OverduePayment["signing"] = "open"): OverduePayment => ({
  paymentId: createPaymentId(),
  signId: createSignId(),
  expiresAt: NOW,
  signing,
});

/** What is overdue, in the order of the store. */
interface Overdue {
  readonly open?: readonly OverduePayment[];
  readonly ended?: readonly OverduePayment[];
}

const MANY = Array.from({ length: 100 }, () => overduePayment());

/** The job over a store that finds these until they are ended or attached, with what it has done. */
function expiringJob(overdue: Overdue, auth: ExpiryParts["authority"]["findKnown"]) {
  const { log, lines } = readableLog();
  const found: string[] = [];
  const asked: (readonly NamedSigning[])[] = [];
  const expired: OverduePayment[] = [];
  const attached: [string, string][] = [];
  const queued: string[] = [];
  const idsOf = () => new Set([...expired.map(({ paymentId }) => paymentId), ...attached.map(([id]) => id)]);
  const parts: ExpiryParts = {
    store: {
      findOverdue: async ({ signing, limit, after }, by) => {
        expect([limit, by]).to.deep.equal([100, BY]);
        found.push(signing);
        const all = overdue[signing] ?? [];
        const behind = all.slice(all.findIndex(({ paymentId }) => paymentId === after?.paymentId) + 1);
        const batch = behind.filter(({ paymentId }) => !idsOf().has(paymentId)).slice(0, limit);
        return { overdue: batch, last: batch.length < limit ? undefined : batch.at(-1) };
      },
      attachKnown: async ({ paymentId }, requestId) => {
        attached.push([paymentId, requestId]);
        return true;
      },
      expireUnsigned: async (some) => {
        expired.push(...some);
        return { ended: some.map(({ paymentId }) => paymentId), failures: [] };
      },
    },
    authority: {
      findKnown: (named) => {
        asked.push(named);
        return auth(named);
      },
    },
    queued: { put: (requestId) => void queued.push(requestId) },
    clock,
    log,
  };
  return { parts, lines, found, asked, expired, attached, queued };
}

/** Its rounds, as the test wants them. */
async function roundsOf(parts: ExpiryParts): Promise<() => Promise<number | undefined>> {
  const rounds: Round[] = [];
  await startExpiringPayments({
    ...parts,
    countJob: () => (round) => ({ stop: async () => void rounds.push(round) }),
  }).stop();
  return async () => rounds[0]?.(new AbortController().signal);
}

const none = async () => [];

describe("The job that ends payments not approved in time", () => {
  it("works batch after batch until none is left, and stops", async () => {
    const open = [...MANY, overduePayment()];
    const { parts, asked, expired } = expiringJob({ open }, none);
    const job = startExpiringPayments(parts);
    await eventually(() => expired.length === open.length);
    await job.stop();
    expect(asked).to.deep.equal([MANY, open.slice(-1)]);
  });

  it("asks auth once about all payments never sent there, and about no others", async () => {
    const [open, ended] = [[overduePayment(), overduePayment()], [overduePayment("ended")]];
    const { parts, asked, expired } = expiringJob({ open, ended }, none);
    const next = await roundsOf(parts);
    await next();
    await next();
    expect(asked).to.deep.equal([open]);
    expect(expired).to.deep.equal([...ended, ...open]);
  });

  it("does not end a payment whose order auth has, but takes what became of it", async () => {
    const [found, other] = [overduePayment(), overduePayment()];
    const requestId = requestNamed("R-1");
    const known = [{ paymentId: found.paymentId, signId: found.signId, requestId }];
    const { parts, expired, attached, queued, lines } = expiringJob(
      { open: [found, other] },
      async () => known,
    );
    await (await roundsOf(parts))();
    expect(expired).to.deep.equal([other]);
    expect(attached).to.deep.equal([[found.paymentId, requestId]]);
    expect(queued).to.deep.equal([requestId]);
    expect(lines.at(-1)).to.include({ paymentId: found.paymentId, signing: requestId });
  });

  it("takes nothing of a payment that another process was first with", async () => {
    const found = overduePayment();
    const known = [{ paymentId: found.paymentId, signId: found.signId, requestId: requestNamed("R-1") }];
    const { parts, queued } = expiringJob({ open: [found] }, async () => known);
    const { store } = parts;
    await (await roundsOf({ ...parts, store: { ...store, attachKnown: async () => false } }))();
    expect(queued).to.deep.equal([]);
  });

  it("ends none while auth is away, asks once a round, and neither fails the round nor logs a failure", async () => {
    const away = async () => Promise.reject(new PrivateServiceUnavailable("auth", { cause: "away" }));
    const { parts, asked, expired, lines } = expiringJob({ open: [...MANY, overduePayment()] }, away);
    const next = await roundsOf(parts);
    expect(await next()).to.be.greaterThan(0);
    expect(await next()).to.be.greaterThan(0);
    expect(asked).to.deep.equal([MANY, MANY]);
    expect([expired, lines]).to.deep.equal([[], []]);
  });

  it("ends all whose attempt auth has ended before, even while auth is away", async () => {
    const ended = Array.from({ length: 101 }, () => overduePayment("ended"));
    const away = async () => Promise.reject(new PrivateServiceUnavailable("auth", { cause: "away" }));
    const { parts, asked, expired } = expiringJob({ open: MANY, ended }, away);
    const next = await roundsOf(parts);
    expect(await next()).to.equal(0);
    expect(await next()).to.be.greaterThan(0);
    expect(expired).to.deep.equal(ended);
    expect(asked).to.deep.equal([MANY]);
  });

  it("ends all whose attempt auth has ended before, even when auth answers with an unexpected status", async () => {
    const ended = [overduePayment("ended")];
    const fails = async () => Promise.reject(new SigningRefusal("answer_status", "answered with 500"));
    const { parts, expired } = expiringJob({ open: [overduePayment()], ended }, fails);
    expect(await rejectionOf((await roundsOf(parts))())).to.include({ code: "answer_status" });
    expect(expired).to.deep.equal(ended);
  });

  it("goes on past payments for which auth's answer is not believed, and asks again after the last", async () => {
    const [behind, malformed] = [overduePayment(), new SigningRefusal("answer_malformed", "nonsense")];
    const auth = async (named: readonly NamedSigning[]) =>
      named.length === MANY.length ? Promise.reject(malformed) : [];
    const { parts, asked, expired } = expiringJob({ open: [...MANY, behind] }, auth);
    const next = await roundsOf(parts);
    await rejectionOf(next());
    await next();
    await rejectionOf(next());
    expect(asked).to.deep.equal([MANY, [behind], MANY]);
    expect(expired).to.deep.equal([behind]);
  });

  it("searches a kind of payment no more after its last, until the last of both kinds was found", async () => {
    const { parts, found } = expiringJob({ open: MANY, ended: [overduePayment("ended")] }, none);
    const next = await roundsOf(parts);
    await next();
    await next();
    await next();
    expect(found).to.deep.equal(["ended", "open", "open", "ended", "open"]);
  });

  it("ends none when auth's answer is not believed, and logs it", async () => {
    const nonsense = async () => Promise.reject(new SigningRefusal("answer_malformed", "nonsense"));
    const { parts, expired, lines } = expiringJob({ open: [overduePayment()] }, nonsense);
    const job = startExpiringPayments(parts);
    const complaint = () => lines.find(({ msg }) => msg === "payments could not be ended");
    await eventually(() => complaint() !== undefined);
    await job.stop();
    expect(complaint())
      .to.have.property("error")
      .that.deep.includes({ message: "answer_malformed", reason: "nonsense" });
    expect(expired).to.deep.equal([]);
  });

  it("goes on past payments that fail to end, reports them, and tries them again after the last", async () => {
    const stuck = Array.from({ length: 100 }, () => overduePayment("ended"));
    const behind = overduePayment("ended");
    const { parts, expired } = expiringJob({ ended: [...stuck, behind] }, none);
    const { store } = parts;
    const failures = [new Error("one"), new Error("another")];
    const expireUnsigned: ExpiryParts["store"]["expireUnsigned"] = async (some, by) =>
      some.length === stuck.length ? { ended: [], failures } : store.expireUnsigned(some, by);
    const next = await roundsOf({ ...parts, store: { ...store, expireUnsigned } });
    expect(await rejectionOf(next())).to.have.nested.property("errors[1].message", "another");
    await next();
    await rejectionOf(next());
    expect(expired).to.deep.equal([behind]);
  });
});
