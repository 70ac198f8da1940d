import type { ProcessMetrics } from "@cobs/service-edge";
import { Counter, Histogram } from "prom-client";
import { APPROVAL_FAULTS, type ApprovalFault, type PaymentStateName } from "./payment.ts";
import type { PaymentId } from "./payment-ids.ts";
import type { ApprovalOutcome, EntryOutcome, PaymentStore, RequestEndOutcome } from "./payment-store.ts";

const ENDS: ReadonlySet<PaymentStateName> = new Set(["completed", "rejected", "expired", "deleted"]);

const ENTRIES: readonly EntryOutcome["result"][] = ["entered", "duplicate", "replayed", "key_reused"];
const APPROVALS: readonly (Exclude<ApprovalOutcome["result"], "refused"> | ApprovalFault)[] = [
  "taken",
  "known",
  "over",
  "unknown",
  ...APPROVAL_FAULTS,
];

/**
 * Adds the outcomes of payments to the metrics of a process, and gives a store that counts them; call it once per process.
 * The duration of a payment is read from its record once it has ended, and nobody waits for that.
 */
export function countPayments(
  store: PaymentStore,
  { registry }: Pick<ProcessMetrics, "registry">,
): PaymentStore {
  const { entries, approvals, durations } = createPaymentMetrics({ registry });

  async function lookAtEnd(id: PaymentId): Promise<void> {
    const moves = await store.movesOf(id);
    const first = moves[0];
    const last = moves.at(-1);
    if (first === undefined || last === undefined || !ENDS.has(last.after)) return;
    durations.observe({ state: last.after }, (last.at.getTime() - first.at.getTime()) / 1000);
  }
  // A move stays made even if its metric cannot be taken.
  const tellEnd = (id: PaymentId) => lookAtEnd(id).catch(() => {});
  /** One after the other, because calls need the database too. */
  async function tellEnds(ids: readonly PaymentId[]): Promise<void> {
    for (const id of ids) await tellEnd(id);
  }
  /** Checks whether the payment has ended with its request. */
  async function followed<Outcome extends RequestEndOutcome>(taking: Promise<Outcome>): Promise<Outcome> {
    const outcome = await taking;
    if (outcome.result === "taken") void tellEnd(outcome.paymentId);
    return outcome;
  }

  return {
    ...store,
    enter: async (terms, entry, act) => {
      const outcome = await store.enter(terms, entry, act);
      entries.inc({ outcome: outcome.result });
      return outcome;
    },
    findEntered: async (of, idempotency, now) => {
      const known = await store.findEntered(of, idempotency, now);
      if (known !== undefined) entries.inc({ outcome: known.result });
      return known;
    },
    takeApproval: async (approval, act) => {
      const outcome = await store.takeApproval(approval, act);
      approvals.inc({ outcome: outcome.result === "refused" ? outcome.reason : outcome.result });
      if (outcome.result === "refused") void tellEnd(outcome.paymentId);
      return outcome;
    },
    takeRefusal: (requestId, reason, act) => followed(store.takeRefusal(requestId, reason, act)),
    takeExpiry: (requestId, act) => followed(store.takeExpiry(requestId, act)),
    takeCancellation: (requestId, act) => followed(store.takeCancellation(requestId, act)),
    takeConsentEnd: (requestId, act) => followed(store.takeConsentEnd(requestId, act)),
    endWaiting: async (payer, act, span) => {
      const outcome = await store.endWaiting(payer, act, span);
      void tellEnds(outcome.ended);
      return outcome;
    },
    handOver: async (lease, act) => {
      const outcome = await store.handOver(lease, act);
      if (outcome.result === "refused") void tellEnd(lease.paymentId);
      return outcome;
    },
    takeSettlement: async (lease, settlement, act) => {
      const outcome = await store.takeSettlement(lease, settlement, act);
      if (outcome === "moved") void tellEnd(lease.paymentId);
      return outcome;
    },
    delete: async (owned, act) => {
      const outcome = await store.delete(owned, act);
      if (outcome.result === "deleted") void tellEnd(owned.id);
      return outcome;
    },
    expireUnsigned: async (overdue, act) => {
      const outcome = await store.expireUnsigned(overdue, act);
      void tellEnds(outcome.ended);
      return outcome;
    },
  };
}

/** Adds the metrics themselves; once per process. */
export function createPaymentMetrics({ registry }: Pick<ProcessMetrics, "registry">) {
  const metrics = newPaymentMetrics(registry);
  // An alert sees the first event only if there was a value before it.
  for (const outcome of ENTRIES) metrics.entries.inc({ outcome }, 0);
  for (const outcome of APPROVALS) metrics.approvals.inc({ outcome }, 0);
  for (const state of ENDS) metrics.durations.zero({ state });
  return metrics;
}

function newPaymentMetrics(registry: ProcessMetrics["registry"]) {
  const registers = [registry];
  const labelNames = ["outcome"] as const;
  return {
    entries: new Counter({
      name: "payment_entries_total",
      help: "Requests to enter a payment, by outcome.",
      labelNames,
      registers,
    }),
    approvals: new Counter({
      name: "payment_approvals_total",
      help: "Approvals received from auth, by outcome: taken, already known, payment over, or why not taken.",
      labelNames,
      registers,
    }),
    durations: new Histogram({
      name: "payment_duration_seconds",
      help: "Time from entry to end of a payment, by final state.",
      labelNames: ["state"] as const,
      buckets: [1, 5, 15, 60, 300, 900, 3_600, 86_400],
      registers,
    }),
  };
}
