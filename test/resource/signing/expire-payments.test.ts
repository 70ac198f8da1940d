import { PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { createPaymentId, createSignId } from "../../../packages/resource/src/payments/payment-ids.ts";
import type { OverduePayment, OverduePlace } from "../../../packages/resource/src/payments/payment-store.ts";
import {
  type ExpiryParts,
  startExpiringPayments,
} from "../../../packages/resource/src/signing/expire-payments.ts";
import type { NamedSigning } from "../../../packages/resource/src/signing/signing-authority.ts";
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

/** The job over batches that are found one after the other, with what it has done. */
function expiringJob(
  batches: readonly (readonly OverduePayment[])[],
  auth: ExpiryParts["authority"]["findKnown"],
) {
  const { log, lines } = readableLog();
  const places: (OverduePlace | undefined)[] = [];
  const asked: (readonly NamedSigning[])[] = [];
  const expired: OverduePayment[] = [];
  const attached: [string, string][] = [];
  const queued: string[] = [];
  const parts: ExpiryParts = {
    store: {
      findOverdue: async (limit, by, after) => {
        expect([limit, by]).to.deep.equal([100, BY]);
        const overdue = batches[places.push(after) - 1] ?? [];
        return { overdue, last: places.length < batches.length ? overdue.at(-1) : undefined };
      },
      attachKnown: async ({ paymentId }, requestId) => {
        attached.push([paymentId, requestId]);
        return true;
      },
      expireUnsigned: async (overdue) => {
        expired.push(...overdue);
        return { ended: overdue.map(({ paymentId }) => paymentId), failures: [] };
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
  return { parts, lines, places, asked, expired, attached, queued };
}

/** Its rounds, as the test wants them. */
async function roundsOf(parts: ExpiryParts): Promise<() => Promise<number | undefined>> {
  const rounds: Round[] = [];
  await startExpiringPayments({
    ...parts,
    again: (round) => ({ stop: async () => void rounds.push(round) }),
  }).stop();
  return async () => rounds[0]?.(new AbortController().signal);
}

const none = async () => [];

describe("Ending payments that nobody has approved in time", () => {
  it("goes on batch after batch, until there are none, and stops", async () => {
    const batches = [[overduePayment()], [overduePayment()], []];
    const { parts, places, expired } = expiringJob(batches, none);
    const job = startExpiringPayments(parts);
    await eventually(() => places.length >= 3);
    await job.stop();
    expect(places).to.deep.equal([undefined, ...batches.flat()]);
    expect(expired).to.deep.equal(batches.flat());
  });

  it("asks auth once about all that were never sent there, and about no others", async () => {
    const [open, ended] = [[overduePayment(), overduePayment()], [overduePayment("ended")]];
    const { parts, asked, expired } = expiringJob([[...open, ...ended], ended, []], none);
    const next = await roundsOf(parts);
    await next();
    await next();
    await next();
    expect(asked).to.deep.equal([open]);
    expect(expired).to.have.members([...open, ...ended, ...ended]);
  });

  it("ends none whose order auth has: what became of it is taken", async () => {
    const [found, other] = [overduePayment(), overduePayment()];
    const requestId = requestNamed("R-1");
    const known = [{ paymentId: found.paymentId, signId: found.signId, requestId }];
    const { parts, expired, attached, queued, lines } = expiringJob([[found, other]], async () => known);
    await (await roundsOf(parts))();
    expect(expired).to.deep.equal([other]);
    expect(attached).to.deep.equal([[found.paymentId, requestId]]);
    expect(queued).to.deep.equal([requestId]);
    expect(lines.at(-1)).to.include({ paymentId: found.paymentId, signing: requestId });
  });

  it("takes nothing of one that somebody else was first with", async () => {
    const found = overduePayment();
    const known = [{ paymentId: found.paymentId, signId: found.signId, requestId: requestNamed("R-1") }];
    const { parts, queued } = expiringJob([[found]], async () => known);
    const { store } = parts;
    await (await roundsOf({ ...parts, store: { ...store, attachKnown: async () => false } }))();
    expect(queued).to.deep.equal([]);
  });

  it("ends none about which auth could not be asked, asks no more in a row, and does not complain of it itself", async () => {
    const [open, ended] = [overduePayment(), overduePayment("ended")];
    const away = async () => Promise.reject(new PrivateServiceUnavailable("auth", { cause: "away" }));
    const { parts, places, expired } = expiringJob([[open, ended], [open], []], away);
    const next = await roundsOf(parts);
    expect(await next()).to.be.greaterThan(0);
    expect(expired).to.deep.equal([ended]);
    await next();
    expect(places).to.deep.equal([undefined, undefined]);
  });

  it("ends none about which auth says what cannot be believed, and tells of it", async () => {
    const nonsense = async () => Promise.reject(new SigningRefusal("answer_malformed", "nonsense"));
    const { parts, expired, lines } = expiringJob([[overduePayment()]], nonsense);
    const job = startExpiringPayments(parts);
    await eventually(() => lines.some(({ msg }) => msg === "payments could not be ended"));
    await job.stop();
    expect(expired).to.deep.equal([]);
  });

  it("goes on behind those that cannot be ended, which it tells of, and tries them again after the last", async () => {
    const [stuck, behind] = [overduePayment("ended"), overduePayment("ended")];
    const { parts, places } = expiringJob([[stuck], [behind], [stuck]], none);
    const failures = [new Error("one"), new Error("another")];
    const expireUnsigned: ExpiryParts["store"]["expireUnsigned"] = async ([first]) =>
      first === stuck ? { ended: [], failures } : { ended: [behind.paymentId], failures: [] };
    const next = await roundsOf({ ...parts, store: { ...parts.store, expireUnsigned } });
    expect(await rejectionOf(next())).to.have.nested.property("errors[1].message", "another");
    await next();
    await rejectionOf(next());
    expect(places).to.deep.equal([undefined, stuck, behind]);
  });
});
