import { createMetrics, type Database, type Log } from "@cobs/service-edge";
import type { OrderBank } from "../../../packages/resource/src/bank/orders.ts";
import { openSandboxBank } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { startSettlingOrders } from "../../../packages/resource/src/bank/sandbox-orders/start-settling-orders.ts";
import {
  beginFollowing,
  beginHandOvers,
  type ExecutionParts,
} from "../../../packages/resource/src/execution/execute-payments.ts";
import { createExecutionMetrics } from "../../../packages/resource/src/execution/execution-metrics.ts";
import { leaseFor } from "../../../packages/resource/src/execution/execution-times.ts";
import { createLateNaming } from "../../../packages/resource/src/execution/late-naming.ts";
import { createRejectionLooks } from "../../../packages/resource/src/execution/rejection-looks.ts";
import type { PaymentTerms } from "../../../packages/resource/src/payments/payment.ts";
import {
  createPaymentId,
  createSignId,
  type SignId,
} from "../../../packages/resource/src/payments/payment-ids.ts";
import { createPaymentStore } from "../../../packages/resource/src/payments/payment-store-postgres.ts";
import { readableLog } from "../../support/readable-log.ts";
import { type OrderScene, orderOf, PAYER } from "../bank/orders/order-bank.ts";
import { approvalNamed, requestNamed, sampleTerms } from "../payments/sample-payments.ts";

/** A clock that a test sets ahead of the machine's. */
export function aheadClock() {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    monotonicMilliseconds: () => performance.now() + ahead,
    advance: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
}

/** One process that executes, over a bank that a test may degrade. */
export function executingProcess(
  database: Database,
  {
    bank,
    clock,
    answerMilliseconds = 2_000,
  }: {
    readonly answerMilliseconds?: number;
    readonly bank: Pick<OrderBank, "acceptOrder" | "progressOf">;
    readonly clock: ExecutionParts["clock"];
  },
) {
  const { log, lines } = readableLog();
  const metrics = createMetrics("test");
  const store = createPaymentStore(database);
  const parts: ExecutionParts = {
    store,
    bank,
    instantBank: bank,
    clock,
    log,
    metrics: createExecutionMetrics(metrics, database),
    isLateToBeNamed: createLateNaming(),
    isForgottenToBeNamed: createLateNaming(),
    rejections: createRejectionLooks(),
    leaseMilliseconds: leaseFor(answerMilliseconds),
  };
  return { parts, store, lines, figures: () => metrics.registry.metrics() };
}

/** Longer than any lease and any pause, in milliseconds. */
export const LONG = 120_000;

/** Lets so long pass for the payments before the bank, whose times go by the database's clock, that all of them are due. */
export async function letPausesPass(database: Database): Promise<void> {
  const text = "UPDATE payment_outbox SET due_at = due_at - $1::float8 * interval '1 millisecond'";
  await database.run({ name: "", text, values: [LONG] });
}

const MANY = 100;

/** Takes one step for every due payment, and returns their number: what is handed over is followed by the next call. */
export async function executeDuePayments(parts: ExecutionParts): Promise<number> {
  const followed = await beginFollowing(parts, MANY);
  const handedOver = await beginHandOvers(parts, MANY).finally(() => Promise.all(followed));
  await Promise.all(handedOver);
  return handedOver.length + followed.length;
}

/** Enters a payment of a scene; nobody is asked to approve it. */
export async function enteredPayment(
  database: Database,
  scene: OrderScene,
  changed: Partial<PaymentTerms> = {},
): Promise<PaymentTerms & { readonly signId: SignId }> {
  const store = createPaymentStore(database);
  const id = createPaymentId();
  const signId = createSignId();
  const now = new Date();
  const by = { now, requestId: undefined };
  const order = changed.order ?? orderOf(scene);
  const terms = sampleTerms({
    id,
    psu: PAYER,
    account: scene.payer.id,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 600_000),
    executionDate: "2026-03-02",
    ...changed,
    order: { ...order, instructionIdentification: id },
  });
  await store.enter(terms, { signId, idempotency: undefined }, by);
  return { ...terms, signId };
}

/** Enters a payment of a scene and has it approved. */
export async function approvedPayment(
  database: Database,
  scene: OrderScene,
  changed: Partial<PaymentTerms> = {},
): Promise<PaymentTerms> {
  return approveEntered(database, await enteredPayment(database, scene, changed));
}

/** Has an entered payment approved. */
export async function approveEntered(
  database: Database,
  { signId, ...terms }: PaymentTerms & { readonly signId: SignId },
): Promise<PaymentTerms> {
  const { id, organisationIdentifier, digest } = terms;
  const store = createPaymentStore(database);
  const now = new Date();
  const by = { now, requestId: undefined };
  const requestId = requestNamed(`R-${id}`);
  await store.attachRequest({ id, organisationIdentifier }, { signId, requestId }, by);
  const approval = { id: approvalNamed(`A-${id}`), requestId, digest, methods: ["totp"], approvedAt: now };
  const { result } = await store.takeApproval(approval, by);
  if (result !== "taken") throw new TypeError(`the approval was ${result}`);
  return terms;
}

/** The sandbox bank of a database; a process of its own settles everything at once. */
export function sandboxOf(database: Database, log: Log = readableLog().log) {
  return { bank: openSandboxBank(database, 0), settling: startSettlingOrders({ database, log }) };
}
