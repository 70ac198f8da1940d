import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { EndedWaiting, WaitingSpan } from "./ended-waiting.ts";
import type { MadeMove } from "./made-move.ts";
import type {
  ExpiredPayments,
  NamedSigning,
  OverdueBatch,
  OverduePayment,
  WantedOverdue,
} from "./overdue-payments.ts";
import type {
  Approval,
  ApprovalFault,
  ApprovedPayment,
  EnteredPayment,
  Payment,
  PaymentStateName,
  PaymentTerms,
  PsuRefusal,
} from "./payment.ts";
import type { PaymentId, SignId, SigningRequestId } from "./payment-ids.ts";
import type { MoveRefusal } from "./payment-moves.ts";
import type { RestoredPlaces, UnendedCursor } from "./restored-places.ts";

/** The time of an act, and the call that it belongs to. */
export interface PaymentAct {
  readonly now: Date;
  /** Request id of the TPP's call; undefined when the server acts by itself. */
  readonly requestId: string | undefined;
}

/** A payment of this TPP, and of this PSU if one is named (COBS 3.2.5 to 3.2.11); for everybody else it does not exist. */
export interface OwnedPayment {
  readonly id: PaymentId;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly psu?: PsuId;
}

/** The key under which a TPP may repeat one request, and a hash of what it sent. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of the body in canonical bytes (RFC 8785). */
  readonly bodyHash: Buffer;
}

/** What an entry brings in addition to the payment's terms. */
export interface Entry {
  readonly signId: SignId;
  readonly idempotency: IdempotencyKey | undefined;
}

/** The TPP and application that enter a payment, and its PSU. */
export type Enterer = Pick<PaymentTerms, "organisationIdentifier" | "applicationId" | "psu">;

/** Outcome of an entry. */
export type EntryOutcome =
  | { readonly result: "entered"; readonly payment: EnteredPayment }
  /** The TPP has already used the instruction identification, for this payment (AM05). */
  | { readonly result: "duplicate"; readonly paymentId: PaymentId }
  | KnownEntry;

/** Outcome for an idempotency key that has already entered a payment. */
export type KnownEntry =
  /** The key has entered this payment before, with the same body for the same PSU; the payment is given as it was then. */
  | { readonly result: "replayed"; readonly payment: EnteredPayment }
  /** The key came with another body, or for another PSU or application. */
  | { readonly result: "key_reused" };

/** The payment after the act, or why it is unchanged; `unknown`: the payment does not exist for this owner. */
export type SigningOutcome =
  | { readonly result: "done"; readonly payment: Payment }
  | { readonly result: "unknown" }
  | { readonly result: "refused"; readonly reason: MoveRefusal };

/** Outcome of a request to delete. */
export type DeletionOutcome =
  | { readonly result: "deleted" }
  | { readonly result: "unknown" }
  /** The payment can no longer be deleted (COBS A-64). */
  | { readonly result: "wrong_state" }
  /** Auth has the order: its request must be ended there first, and that end taken here. */
  | { readonly result: "asked"; readonly requestId: SigningRequestId };

/** Outcome of an approval. */
export type ApprovalOutcome =
  /** The payment will be executed; `known`: this very approval was taken before. */
  | { readonly result: "taken" | "known"; readonly paymentId: PaymentId }
  /** The approval is not taken, and the payment is rejected. */
  | { readonly result: "refused"; readonly paymentId: PaymentId; readonly reason: ApprovalFault }
  /** The payment can no longer be decided; nothing has changed. */
  | { readonly result: "over"; readonly paymentId: PaymentId }
  /** No payment has this request. */
  | { readonly result: "unknown" };

/** Outcome of a request's end without an approval, as for {@link ApprovalOutcome}. */
export type RequestEndOutcome =
  | { readonly result: "taken" | "over"; readonly paymentId: PaymentId }
  | { readonly result: "unknown" };

/** The payments that an application of a TPP has entered for one PSU. */
export interface Payer {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
}

/** Selects payers; a missing member matches all. */
export type PayerFilter = Partial<Payer>;

/** A request at auth whose decision was not taken yet. */
export interface OpenRequest {
  readonly paymentId: PaymentId;
  readonly signId: SignId;
  readonly requestId: SigningRequestId;
  /** The time to approve is over: the request should be ended at auth, and auth's answer taken. */
  readonly isOverdue: boolean;
}

/** The right to take one payment a step further, until another caller has taken it. */
export interface Lease {
  readonly paymentId: PaymentId;
  /** The state at that time: `approved`, `handed_over` or `accepted`, unless somebody has edited the database by hand. */
  readonly state: PaymentStateName;
  /** Time of the move to that state. */
  readonly since: Date;
  /** Time of the lease by the store's clock, which all processes share. */
  readonly takenAt: Date;
  /** Number of times it was taken since its approval, this one included. */
  readonly attempt: number;
  /** The day on which the bank executes it, at once if it is instant. */
  readonly executionDate: string;
  readonly isInstant: boolean;
}

/**
 * When a payment is due again: so many milliseconds from now by the store's clock, and not before a moment, if one is given.
 */
export interface DueTime {
  readonly afterMilliseconds: number;
  readonly notBefore?: Date;
}

/** How many to take at once, and for how many milliseconds by the store's clock. */
export interface LeaseTerms {
  readonly limit: number;
  readonly leaseMilliseconds: number;
}

/** The order to hand over. `refused`: it is not what was approved; the payment is rejected. `lost`: another has the lease. */
export type HandOver =
  | { readonly result: "handed_over"; readonly payment: ApprovedPayment }
  | { readonly result: "refused" }
  | { readonly result: "lost" };

/** How a bank has ended an order, at once or later. */
export type Settlement =
  | { readonly outcome: "completed"; readonly entryReference: string | undefined }
  | { readonly outcome: "rejected"; readonly reason: string };

/**
 * What may be forgotten: payments finished for longer than `finishedMilliseconds`, and keys older than `keysMilliseconds`, at
 * most `limit` of each. The store's own clock counts, because nothing brings back what a wrong clock has deleted.
 */
export interface Forgetting {
  readonly finishedMilliseconds: number;
  readonly keysMilliseconds: number;
  readonly limit: number;
}

/** The TPP and application that entered a payment, and the PSU's consent. */
export type InitiatedPayment = Pick<PaymentTerms, "organisationIdentifier" | "applicationId" | "consentId">;

/**
 * The payments of all TPPs, durable. Every act is one transaction: all of it is done, or nothing. Among any number of callers
 * at once, in any number of processes, each sees what those before it have done. A payment makes one move at a time, and
 * every move is recorded with its time and cause in the same transaction. A rejected promise means that it is unknown whether
 * the act was done. Every act may be repeated; the repetition changes nothing, or gives the current state.
 *
 * A deleted payment does not exist for its owners. A payment that waits for its PSU after its time can no longer begin or
 * change anything, but it has not expired until that is recorded. It is recorded once auth has reported that it has no
 * approval of it: an approval given in time may be on its way, even one that this store knew before it was restored to an
 * older state.
 */
export interface PaymentStore {
  /**
   * Enters a payment, once. Under one idempotency key a TPP enters one payment, and gets it again for a day. Under one
   * instruction identification it enters one for as long as that payment is kept, even if it was deleted, expired or
   * rejected. A duplicate leaves its idempotency key free.
   */
  enter(terms: PaymentTerms, entry: Entry, act: PaymentAct): Promise<EntryOutcome>;
  /** Finds what a key has entered, as of `now`; undefined when nothing, so that it may enter a payment. */
  findEntered(of: Enterer, idempotency: IdempotencyKey, now: Date): Promise<KnownEntry | undefined>;
  /** Finds the payment that a TPP has entered under an instruction identification. */
  findInstruction(of: OrganisationIdentifier, instruction: string): Promise<PaymentId | undefined>;
  /** Finds the payment as it is now; it counts as expired once that is recorded. */
  find(owned: OwnedPayment): Promise<Payment | undefined>;
  /** Opens a new attempt to have it approved if the last one has ended; otherwise gives the current one (COBS 3.2.8). */
  openSigning(owned: OwnedPayment, signId: SignId, act: PaymentAct): Promise<SigningOutcome>;
  /**
   * Records that auth has the order under this request. The PSU may be sent there only afterwards. When it is refused, the
   * request must be ended at auth.
   */
  attachRequest(
    owned: OwnedPayment,
    request: { readonly signId: SignId; readonly requestId: SigningRequestId },
    act: PaymentAct,
  ): Promise<SigningOutcome>;
  /**
   * Takes an approval, which can be used only once, and puts the payment before the bank. The digest is computed from the
   * order as stored at this moment, under the payment's lock.
   */
  takeApproval(approval: Approval, act: PaymentAct): Promise<ApprovalOutcome>;
  /** Takes the PSU's refusal: the payment is rejected. */
  takeRefusal(requestId: SigningRequestId, reason: PsuRefusal, act: PaymentAct): Promise<RequestEndOutcome>;
  /**
   * Takes the expiry of a request: this attempt is over. The payment ends too if its own time is over, by both clocks as in
   * {@link expireUnsigned}.
   */
  takeExpiry(requestId: SigningRequestId, act: PaymentAct): Promise<RequestEndOutcome>;
  /** Takes the cancellation of a request by us, with the same effect as its expiry. */
  takeCancellation(requestId: SigningRequestId, act: PaymentAct): Promise<RequestEndOutcome>;
  /** Takes that auth ended a request because what it depends on has ended: the payment is rejected. */
  takeConsentEnd(requestId: SigningRequestId, act: PaymentAct): Promise<RequestEndOutcome>;
  /** Finds the payers whose payments wait for their PSU. */
  waitingPayers(of: PayerFilter): Promise<readonly Payer[]>;
  /** Finds waiting attempts of a payer that auth is not known to have, or to have had. */
  findUnasked(payer: Payer, span?: WaitingSpan): Promise<readonly NamedSigning[]>;
  /**
   * Rejects the waiting payments of a payer, because what they depend on has ended. Payments that auth has wait until it has
   * reported how its request ended. Payments whose time is over, and that were never sent to auth, wait for their expiry.
   */
  endWaiting(payer: Payer, act: PaymentAct, span?: WaitingSpan): Promise<EndedWaiting>;
  /** Deletes a payment that nobody can approve any more. */
  delete(owned: OwnedPayment, act: PaymentAct): Promise<DeletionOutcome>;
  /**
   * Takes requests at auth that nobody has looked up for `leaseMilliseconds`, by the store's clock, the oldest first; no two
   * callers get the same. A request is overdue if the time to approve is over by the caller's clock and by the store's.
   */
  dueForLookUp(terms: LeaseTerms, act: PaymentAct): Promise<readonly OpenRequest[]>;
  /**
   * Takes payments for which the bank has not answered yet. A payment that was already `handed_over` must be looked up at the
   * bank; it is sent again, after {@link handOver}, only if the bank does not know it. What is due, and for how long it is
   * taken, goes by the store's clock alone, here and below: the clocks of the processes may differ.
   */
  dueForHandOver(terms: LeaseTerms): Promise<readonly Lease[]>;
  /** Takes payments that the bank executes and that are due for a question about their progress. */
  dueForSettlement(terms: LeaseTerms): Promise<readonly Lease[]>;
  /** Takes the instant ones among both. */
  dueInstant(terms: LeaseTerms): Promise<readonly Lease[]>;
  /**
   * Records that the order goes to the bank, before it does. Only the order that this gives may be sent; it is proven once
   * more.
   */
  handOver(lease: Lease, act: PaymentAct): Promise<HandOver>;
  /** Records that the bank has accepted an order that was handed over, and when to ask about its progress. */
  takeAcceptance(lease: Lease, look: DueTime, act: PaymentAct): Promise<"moved" | "lost">;
  /** Records how the bank has ended an order that was handed over. */
  takeSettlement(lease: Lease, settlement: Settlement, act: PaymentAct): Promise<"moved" | "lost">;
  /**
   * Removes the place before the bank of a payment that nobody has approved, or that has ended, and adds that to its record;
   * the state stays. No act of this store gives such a place: whoever did can write to the database.
   */
  refuseLease(lease: Lease, act: PaymentAct): Promise<"refused" | "lost">;
  /**
   * Looks at payments that are approved and have not ended, at most `limit`, from the first on or after a cursor.
   *
   * A payment without a place before the bank gets one again, once, marked as one that was taken before; its record says so,
   * and its state stays. No act of this store removes such a place: whoever did can write to the database.
   *
   * A place that is due later than any caller would set it, by the database's time, is due a minute and a half
   * later: that clock was ahead. A failure of either repair does not prevent the other.
   */
  restorePlaces(limit: number, act: PaymentAct, after?: UnendedCursor): Promise<RestoredPlaces>;
  /** Postpones a payment; the state stays. */
  postpone(lease: Lease, due: DueTime): Promise<void>;
  /**
   * Finds payments that nobody has approved in time: those that were never sent to auth, or those that auth has reported as
   * not approved. Their time is over by the caller's clock and by the store's, so that a process whose clock is ahead finds
   * none early.
   */
  findOverdue(wanted: WantedOverdue, act: PaymentAct): Promise<OverdueBatch>;
  /**
   * Records that auth has the order under this request, even if the payment's time is over: it then waits for auth's report,
   * as every payment that auth has. Returns false when that is already known, or the payment no longer waits.
   */
  attachKnown(signing: NamedSigning, requestId: SigningRequestId, act: PaymentAct): Promise<boolean>;
  /**
   * Expires payments for which auth has reported no approval, and gives those that this caller has ended. A payment that auth
   * has by now, or that another caller has ended, stays as it is. A payment that cannot be ended does not hold up others.
   */
  expireUnsigned(overdue: readonly OverduePayment[], act: PaymentAct): Promise<ExpiredPayments>;
  /** Deletes what no longer has to be kept, with its record; returns the larger of the two numbers deleted. */
  forgetOld(forgetting: Forgetting): Promise<number>;
  /** Reads the record of a payment, the first move first; empty when it is not kept. */
  movesOf(id: PaymentId): Promise<readonly MadeMove[]>;
  /** Finds who entered a payment; undefined when it is not kept. */
  initiatorOf(id: PaymentId): Promise<InitiatedPayment | undefined>;
}
