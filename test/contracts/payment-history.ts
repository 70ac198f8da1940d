import fc from "fast-check";
import { bytesOfOrder } from "../../packages/resource/src/payments/order-bytes.ts";
import type { PaymentTerms } from "../../packages/resource/src/payments/payment.ts";
import {
  createSignId,
  type SignId,
  type SigningRequestId,
} from "../../packages/resource/src/payments/payment-ids.ts";
import type {
  Lease,
  OwnedPayment,
  PaymentAct,
  PaymentStore,
} from "../../packages/resource/src/payments/payment-store.ts";
import {
  approvalNamed,
  approvalOf,
  by,
  digestOf,
  LIFETIME,
  requestNamed,
  sampleTerms,
} from "../resource/payments/sample-payments.ts";
import { expireOverdue, ownedOf, type PaymentProcesses } from "./payment-processes.ts";

const PAYMENTS = 3;

/** A payment of a history, and what its PSU and its bank have seen. */
export interface Actor {
  readonly terms: PaymentTerms;
  lease: Lease | undefined;
  /** Bytes of the approvals that were accepted for it, by the approval's id. */
  readonly given: Map<string, Buffer>;
  /** Bytes of the orders that were sent to the bank. */
  readonly sent: Buffer[];
}

interface Scene {
  readonly processes: PaymentProcesses;
  readonly actors: readonly Actor[];
  minutes: number;
}

/** One call about one payment. */
interface Call {
  readonly scene: Scene;
  readonly actor: Actor;
  readonly store: PaymentStore;
  readonly owned: OwnedPayment;
  /** Signing attempt that counts at this moment. */
  readonly signId: SignId;
  readonly requestId: SigningRequestId;
  /** One of a few approvals, so that several payments get the same one. */
  readonly approval: number;
  readonly now: PaymentAct;
}

interface KindOfAct {
  readonly weight: number;
  readonly act: (call: Call) => Promise<unknown>;
}

/** Table: acts that may happen, and their frequency. */
const ACTS: Readonly<Record<string, KindOfAct>> = {
  enter: {
    weight: 1,
    act: ({ store, actor, now }: Call) => {
      const entry = { signId: createSignId(), idempotency: undefined };
      return store.enter(sampleTerms({ order: actor.terms.order }), entry, now);
    },
  },
  attach: {
    weight: 10,
    act: ({ store, owned, signId, requestId, now }: Call) =>
      store.attachRequest(owned, { signId, requestId }, now),
  },
  approve: { weight: 8, act: (call: Call) => approve(call, call.actor.terms.digest) },
  approve_wrongly: { weight: 1, act: (call: Call) => approve(call, digestOf("another order")) },
  refuse: {
    weight: 1,
    act: ({ store, requestId, now }: Call) => store.takeRefusal(requestId, "declined", now),
  },
  request_expires: {
    weight: 2,
    act: ({ store, requestId, now }: Call) => store.takeExpiry(requestId, now),
  },
  cancel: { weight: 1, act: ({ store, requestId, now }: Call) => store.takeCancellation(requestId, now) },
  end_consent: {
    weight: 1,
    act: ({ store, requestId, now }: Call) => store.takeConsentEnd(requestId, now),
  },
  end_waiting: {
    weight: 1,
    // All payments of a history have one payer, so each such act would end them all.
    act: async ({ scene, store, actor, approval, now }: Call) =>
      scene.actors[approval] === actor && store.endWaiting(actor.terms, now),
  },
  open_signing: {
    weight: 3,
    act: ({ store, owned, now }: Call) => store.openSigning(owned, createSignId(), now),
  },
  delete: { weight: 2, act: ({ store, owned, now }: Call) => store.delete(owned, now) },
  expire_unsigned: { weight: 1, act: ({ store, now }: Call) => expireOverdue(store, 100, now) },
  expire_ended: {
    weight: 1,
    act: async ({ store, now }: Call) => {
      const { overdue } = await store.findOverdue({ signing: "ended", limit: 100, after: undefined }, now);
      return store.expireUnsigned(overdue, now);
    },
  },
  hand_over: { weight: 8, act: handOver },
  accept: {
    weight: 6,
    act: async ({ store, actor: { lease }, now }: Call) =>
      lease && store.takeAcceptance(lease, { afterMilliseconds: 0 }, now),
  },
  complete: {
    weight: 3,
    act: async ({ store, actor: { lease }, now }: Call) =>
      lease && store.takeSettlement(lease, { outcome: "completed", entryReference: "E-1" }, now),
  },
  reject: {
    weight: 1,
    act: async ({ store, actor: { lease }, now }: Call) =>
      lease && store.takeSettlement(lease, { outcome: "rejected", reason: "AM04" }, now),
  },
  lease_ends: { weight: 2, act: ({ scene }: Call) => passTime(scene, 2) },
  time_goes: { weight: 3, act: ({ scene }: Call) => passTime(scene, LIFETIME / 3) },
  tamper: {
    weight: 1,
    act: ({ scene, actor }: Call) =>
      scene.processes.tamper(actor.terms, "order_content = replace(order_content, '1500.50', '9500.50')"),
  },
};

/** An act on one payment; with `hasTwin`, another process does the same at the same time. */
export interface HistoryAct {
  readonly kind: Pick<KindOfAct, "act"> & { readonly name: string };
  readonly payment: number;
  readonly approval: number;
  readonly hasTwin: boolean;
}

/** Any history of a few payments; acts that lead further are more frequent than those that end a payment. */
export function anyHistory(): fc.Arbitrary<readonly HistoryAct[]> {
  const kinds = Object.entries(ACTS).map(([name, { weight, act }]) => ({
    weight,
    arbitrary: fc.constant({ name, act }),
  }));
  const act = fc.record<HistoryAct>({
    kind: fc.oneof(...kinds),
    payment: fc.nat(PAYMENTS - 1),
    approval: fc.nat(PAYMENTS),
    hasTwin: fc.boolean(),
  });
  return fc.array(act, { minLength: 25, maxLength: 55 });
}

/** Enters a few payments, and plays a history on them. */
export async function playHistory(
  processes: PaymentProcesses,
  acts: readonly HistoryAct[],
): Promise<readonly Actor[]> {
  const actors = await Promise.all(Array.from({ length: PAYMENTS }, () => enterActor(processes)));
  const scene: Scene = { processes, actors, minutes: 0 };
  for (const act of acts) {
    const stores = act.hasTwin ? [processes.one, processes.other] : [processes.one];
    await Promise.all(stores.map((store) => play(scene, act, store)));
  }
  return actors;
}

async function enterActor(processes: PaymentProcesses): Promise<Actor> {
  const { terms } = await processes.enter();
  return { terms, lease: undefined, given: new Map(), sent: [] };
}

async function play(scene: Scene, act: HistoryAct, store: PaymentStore): Promise<void> {
  const actor = scene.actors[act.payment];
  if (actor === undefined) throw new TypeError("a history is of the payments that were entered");
  const { now, owned } = { now: by(scene.minutes), owned: ownedOf(actor.terms) };
  const signId = (await store.find(owned))?.signId ?? createSignId();
  const requestId = requestNamed(`R-${signId}`);
  const { approval } = act;
  await act.kind.act({ scene, actor, store, owned, signId, requestId, approval, now });
}

async function approve(call: Call, digest: Buffer): Promise<void> {
  const { scene, actor, store, requestId, now } = call;
  const id = approvalNamed(`A-${call.approval}-${scene.actors[0]?.terms.id}`);
  const approval = approvalOf(digest, requestId, { id, approvedAt: now.now });
  const { result } = await store.takeApproval(approval, now);
  if (result === "taken") actor.given.set(id, digest);
}

/** Leases everything that is due, and sends what may be sent. */
async function handOver({ scene, store, now }: Call): Promise<void> {
  const input = { limit: 100, leaseMilliseconds: 60_000 };
  const due = [...(await store.dueForHandOver(input)), ...(await store.dueForSettlement(input))];
  for (const lease of due) {
    const actor = scene.actors.find(({ terms }) => terms.id === lease.paymentId);
    if (actor === undefined) continue;
    actor.lease = lease;
    const handedOver = lease.state === "accepted" ? undefined : await store.handOver(lease, now);
    if (handedOver?.result === "handed_over") actor.sent.push(bytesOfOrder(handedOver.payment).digest);
  }
}

async function passTime(scene: Scene, minutes: number): Promise<void> {
  scene.minutes += minutes;
  await scene.processes.wait(minutes);
}
