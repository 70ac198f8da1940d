import { setTimeout as delay } from "node:timers/promises";
import {
  type Account,
  bankDayOf,
  familyOf,
  planExecution,
  presentDecimal,
  type Transaction,
} from "@cobs/cobs-model";
import { askProgress, sendOrder } from "../bank/http-connector/order-questions.ts";
import type { OrderOutcome, OrderProgress, OrderRejection, OrderToExecute } from "../bank/orders.ts";
import { type AccountBook, isInMainCurrency, readBooks } from "./kit-books.ts";
import { NotShown, requireSo } from "./kit-check.ts";
import { approve, type WantedOrder, withMessage } from "./kit-order.ts";
import { costOf, findPayer } from "./kit-payer.ts";
import { comparable, type KitScene, requirePayee } from "./kit-scene.ts";

const LOOK_MILLISECONDS = 250;

/** An order not yet sent, the account that pays it, and the books just before it. */
export interface NewOrder {
  readonly order: OrderToExecute;
  readonly account: Account;
  readonly before: readonly AccountBook[];
}

/** Wishes for an order; anything left out is what the bank executes soonest. */
export interface WishedOrder {
  readonly executionDate?: string;
  readonly instructionIdentification?: string;
  readonly urgency?: WantedOrder["urgency"];
}

/**
 * Makes a small order from the first account of the PSU that can pay it, with the bank's charge. Throws `NotShown` if no payee
 * is named, if no account can pay, or if an earlier order may still move money.
 */
export async function newOrder(scene: KitScene, wished: WishedOrder = {}): Promise<NewOrder> {
  const { psu } = scene;
  const payee = requirePayee(scene);
  const { urgency = "soonest", executionDate, ...named } = wished;
  await requireNoneUnderWay(scene);
  const { account, fee, terms, ...payer } = await findPayer(scene, { payee, urgency, isExecuted: true });
  const order = withMessage({ ...payer.order, ...named });
  const day = executionDate ?? planExecution(order, terms, new Date()).executionDate;
  const before = await readBooks(scene, account.id);
  const approved = approve({ psu, account: account.id, order, fee, executionDate: day });
  return { order: approved, account, before };
}

/** Makes an order that is executed today; throws `NotShown` if the bank executes none before another day. */
export async function newOrderForToday(scene: KitScene, wished: WishedOrder = {}): Promise<NewOrder> {
  const made = await newOrder(scene, wished);
  const { order } = made.order;
  const terms = await scene.terms();
  const { executionDate: day } = planExecution(order, terms, new Date());
  if (day <= bankDayOf(new Date())) return made;
  throw new NotShown(`an order of priority ${order.priority} given now is not executed before ${day}`);
}

/** Hands an order over, and remembers whether it is under way or has ended; one under the id of an accepted order has neither. */
export async function send(
  { core, underWay, ended }: KitScene,
  order: OrderToExecute,
): Promise<OrderOutcome> {
  const { paymentId, executionDate } = order;
  const outcome = await core.ask(sendOrder(order));
  if (outcome.outcome === "rejected" && !underWay.has(paymentId)) ended.set(paymentId, nameEnd(outcome));
  if (outcome.outcome === "accepted" && executionDate <= bankDayOf(new Date())) underWay.add(paymentId);
  return outcome;
}

/** Throws `NotShown` if an earlier order is not over: executed meanwhile, it would be taken for the next one. */
async function requireNoneUnderWay({ core, underWay }: KitScene): Promise<void> {
  for (const paymentId of underWay) {
    const { state } = await core.ask(askProgress(paymentId));
    if (state === "accepted")
      throw new NotShown(`the order ${paymentId} of an earlier check is still accepted, and may be executed`);
    underWay.delete(paymentId);
  }
}

/** Requires all answers to be the same. */
export function requireAlike(outcomes: readonly OrderOutcome[]): void {
  const texts = outcomes.map((outcome) => JSON.stringify(outcome));
  const other = outcomes.find((_outcome, place) => texts[place] !== texts[0]);
  requireSo(other === undefined, "the same order got a different answer", other);
}

/** Requires that an order is rejected for a given reason. */
export function requireRejected(outcome: OrderOutcome, reason: OrderRejection, what: string): void {
  const isRejected = outcome.outcome === "rejected" && outcome.reason === reason;
  requireSo(isRejected, `${what} is ${nameEnd(outcome)}, not rejected with ${reason}`, outcome);
}

/** Requires that an order is rejected, and that no account has changed since before it. */
export async function requireNothingMoved(
  scene: KitScene,
  { order, before }: Pick<NewOrder, "order" | "before">,
): Promise<void> {
  const progress = await scene.core.ask(askProgress(order.paymentId));
  requireSo(progress.state === "rejected", `it is ${progress.state} afterwards (clause 6.6)`, progress);
  for (const each of pair(before, await readBooks(scene, order.account))) requireSunk(each, 0n);
}

/**
 * Requires that an order is completed and stays so. Its account was charged once, under any reference, and has that much less
 * to spend. The payee's account, if one of the PSUs has it, has that much more. No other account has changed. Gives the
 * payer's transaction; without a reference, all that came since and may be it.
 */
export async function requirePaidOnce(
  scene: KitScene,
  { order, account, before }: NewOrder,
): Promise<readonly Transaction[]> {
  const progress = await untilSettled(scene, order);
  const { priority } = order.order;
  if (progress.state === "accepted" && priority !== "INST")
    throw new NotShown(`an order of priority ${priority} is still accepted, and may be executed later today`);
  requireSo(progress.state === "completed", `a small order ends as ${nameEnd(progress)}`, progress);
  scene.ended.set(order.paymentId, nameEnd(progress));
  const { entryReference } = progress;
  const pairs = pair(before, await readBooks(scene, order.account));
  const own = pairs.find(([, book]) => isInMainCurrency(book) && book.account.id === account.id);
  requireSo(own !== undefined, `account ${account.id} is no longer listed`);
  const charges = requireCharged(order, entryReference, own);
  for (const each of pairs.filter((each) => each !== own))
    if (each[1].account.iban === payeeOf(order)) requireOnlyCredited(order, each);
    else requireUntouched(order, entryReference, each);
  const again = await scene.core.ask(askProgress(order.paymentId));
  requireSo(
    again.state === "completed",
    `an order that was completed is ${nameEnd(again)} (clause 6.6)`,
    again,
  );
  return charges;
}

type BeforeAndAfter = readonly [before: AccountBook, after: AccountBook];

function pair(before: readonly AccountBook[], after: readonly AccountBook[]): readonly BeforeAndAfter[] {
  return after.flatMap((book) => {
    const earlier = before.find(
      ({ account, currency }) => account.id === book.account.id && currency === book.currency,
    );
    return earlier === undefined ? [] : [[earlier, book] as const];
  });
}

function requireCharged(
  order: OrderToExecute,
  reference: string | undefined,
  books: BeforeAndAfter,
): readonly Transaction[] {
  const isCharge = moves(order, "DBIT");
  const referred = reference === undefined ? [] : [requireReferred(order, reference, books)];
  const charged = countNew(books, isCharge);
  const isOnce = charged === 1 || (charged < 1 && referred.length === 1);
  requireSo(isOnce, `account ${books[1].account.id} was charged ${charged} times for one order`);
  requireSunk(books, costOf(order));
  requireFeeAsSuch(order, books);
  return referred.length === 1 ? referred : cameTo(books).filter(isCharge);
}

/**
 * Requires a charge to have a code of charges, if it is listed. One of the payment's amount was already counted with the
 * payment.
 */
function requireFeeAsSuch({ order: { amount }, fee }: OrderToExecute, books: BeforeAndAfter): void {
  if (fee?.currency !== amount.currency || fee.minor === amount.minor) return;
  const wrongly = countNew(books, movesAmount(fee.minor, "DBIT"));
  const what = `the charge ${presentDecimal(fee)} of account ${books[1].account.id}`;
  requireSo(wrongly < 1, `${what} is listed with a code that is not that of a charge (clause 7.9)`);
}

function requireReferred(
  order: OrderToExecute,
  reference: string,
  [before, after]: BeforeAndAfter,
): Transaction {
  const { id } = after.account;
  const [entry, ...others] = withReference(after, reference);
  const length = entry === undefined ? 0 : 1 + others.length;
  requireSo(
    entry !== undefined && length === 1,
    `${length} of the newest transactions of account ${id} have the entryReference ${reference}, not one`,
  );
  const earlier = withReference(before, reference).length;
  requireSo(earlier === 0, `the entryReference ${reference} is also that of a transaction before the order`);
  const wanted = `DBIT ${presentDecimal(order.order.amount)}`;
  requireSo(moves(order, "DBIT")(entry), `the transaction ${reference} of account ${id} is not ${wanted}`);
  return entry;
}

/** Requires that the payee's account got the payment and nothing else, unless it was exchanged. */
function requireOnlyCredited(order: OrderToExecute, books: BeforeAndAfter): void {
  const { account, currency } = books[1];
  const { amount } = order.order;
  // A payment into an account in another currency is exchanged.
  if (account.currency !== amount.currency) return;
  if (currency !== amount.currency) {
    requireUntouched(order, undefined, books);
    return;
  }
  const credited = countNew(books, moves(order, "CRDT"));
  requireSo(credited === 1, `account ${account.id} was credited ${credited} times for one order`);
  requireSunk(books, -amount.minor);
}

function requireUntouched(order: OrderToExecute, reference: string | undefined, books: BeforeAndAfter): void {
  const { account, currency } = books[1];
  const { id } = account;
  const length = reference === undefined ? 0 : withReference(books[1], reference).length;
  requireSo(length === 0, `account ${id} has the transaction ${reference}, which belongs to another account`);
  const charged = reference === undefined ? countNew(books, moves(order, "DBIT")) : 0;
  requireSo(charged < 1, `account ${id} was charged in ${currency} for an order that it does not pay`);
  requireSunk(books, 0n);
}

/** Requires the change of the available balance, if the account shows it. */
function requireSunk(
  [{ available: before }, { account, currency, available: after }]: BeforeAndAfter,
  wanted: bigint,
): void {
  if (before === undefined || after === undefined) return;
  const { id } = account;
  const present = (minor: bigint) =>
    `${minor < 0n ? "-" : ""}${presentDecimal({ minor: minor < 0n ? -minor : minor, currency })}`;
  requireSo(
    before - after === wanted,
    `CLAV of account ${id} fell by ${present(before - after)} ${currency}, not by ${present(wanted)}`,
  );
}

function withReference({ entries }: AccountBook, reference: string): readonly Transaction[] {
  return entries.filter((entry) => entry.entryReference === reference && !isOfFee(entry));
}

/**
 * Counts new transactions of a kind, less the pending ones that vanished: once booked, an item blocked by an earlier order
 * looks different.
 */
function countNew([before, after]: BeforeAndAfter, isWanted: (entry: Transaction) => boolean): number {
  const came = cameTo([before, after]).filter(isWanted);
  const gone = onlyIn(before.entries, after.entries).filter(
    (entry) => entry.status === "PDNG" && isWanted(entry),
  );
  return came.length - gone.length;
}

function cameTo([before, after]: BeforeAndAfter): readonly Transaction[] {
  return onlyIn(after.entries, before.entries);
}

/** The entries that the other list does not have, or has fewer times. */
function onlyIn(some: readonly Transaction[], others: readonly Transaction[]): readonly Transaction[] {
  const known = others.map(comparable);
  return some.filter((entry) => {
    const place = known.indexOf(comparable(entry));
    if (place !== -1) known.splice(place, 1);
    return place === -1;
  });
}

function moves({ order: { amount } }: OrderToExecute, direction: Transaction["direction"]) {
  return movesAmount(amount.minor, direction);
}

function movesAmount(minor: bigint, direction: Transaction["direction"]) {
  return (entry: Transaction): boolean =>
    entry.direction === direction && !entry.isReversal && !isOfFee(entry) && entry.amount.minor === minor;
}

/** Whether a transaction is a charge, which may have the amount or the reference of its payment (COBS 4.3). */
function isOfFee({ code }: Transaction): boolean {
  return familyOf(code) === "fee";
}

function payeeOf({ order: { creditorAccount } }: OrderToExecute): string | undefined {
  return "iban" in creditorAccount ? creditorAccount.iban : undefined;
}

/** Names how an order ended, with the reason if it was rejected. */
export function nameEnd(end: OrderOutcome | OrderProgress): string {
  const name = "outcome" in end ? end.outcome : end.state;
  if (!("reason" in end)) return name;
  return `${name} with ${end.reason}${end.ownWord === undefined ? "" : ` (${end.ownWord})`}`;
}

async function untilSettled(
  { core, settledWithinMilliseconds }: KitScene,
  { paymentId }: OrderToExecute,
): Promise<OrderProgress> {
  const until = Date.now() + settledWithinMilliseconds;
  for (;;) {
    const progress = await core.ask(askProgress(paymentId));
    if (progress.state !== "accepted" || Date.now() > until) return progress;
    await delay(LOOK_MILLISECONDS);
  }
}
