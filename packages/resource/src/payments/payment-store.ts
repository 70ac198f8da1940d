import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
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
import type { RestoredPlaces, UnendedPlace } from "./restored-places.ts";

/** When something is done, and in which call. */
export interface PaymentAct {
  readonly now: Date;
  /** That of the TPP's call, or undefined where the server acts by itself. */
  readonly requestId: string | undefined;
}

/** A payment of this TPP, and of this PSU where one is named (COBS 3.2.5 to 3.2.11); to everybody else it does not exist. */
export interface OwnedPayment {
  readonly id: PaymentId;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly psu?: PsuId;
}

/** The key under which a TPP may send one request again, and what it sent. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of what the body says, in canonical bytes (RFC 8785). */
  readonly bodyHash: Buffer;
}

/** What is new with a payment beside its terms. */
export interface Entry {
  readonly signId: SignId;
  readonly idempotency: IdempotencyKey | undefined;
}

/** Who enters a payment, and for whom. */
export type Enterer = Pick<PaymentTerms, "organisationIdentifier" | "applicationId" | "psu">;

/** What became of an entry. */
export type EntryOutcome =
  | { readonly result: "entered"; readonly payment: EnteredPayment }
  /** The TPP has used the instruction identification, for this payment (AM05). */
  | { readonly result: "duplicate"; readonly paymentId: PaymentId }
  | KnownEntry;

/** What an idempotency key says that has entered a payment. */
export type KnownEntry =
  /** The key has entered this payment before, with the same body for the same PSU: as it was then. */
  | { readonly result: "replayed"; readonly payment: EnteredPayment }
  /** The key came with another body, or for another PSU or application. */
  | { readonly result: "key_reused" };

/** A payment as it is afterwards, or why it is as it was; `unknown` is one that does not exist for this owner. */
export type SigningOutcome =
  | { readonly result: "done"; readonly payment: Payment }
  | { readonly result: "unknown" }
  | { readonly result: "refused"; readonly reason: MoveRefusal };

/** What became of a request to delete. */
export type DeletionOutcome =
  | { readonly result: "deleted" }
  | { readonly result: "unknown" }
  /** It is past deletion (COBS A-64). */
  | { readonly result: "wrong_state" }
  /** Auth has the order: its request must be ended there first, and the end taken here. */
  | { readonly result: "asked"; readonly requestId: SigningRequestId };

/** What became of an approval. */
export type ApprovalOutcome =
  /** The payment will be executed; `known` says that this very approval was taken before. */
  | { readonly result: "taken" | "known"; readonly paymentId: PaymentId }
  /** It is not taken, and the payment is rejected. */
  | { readonly result: "refused"; readonly paymentId: PaymentId; readonly reason: ApprovalFault }
  /** Nothing can be decided about the payment any more; nothing has changed. */
  | { readonly result: "over"; readonly paymentId: PaymentId }
  /** No payment was asked for under this request. */
  | { readonly result: "unknown" };

/** What became of the end of a request without an approval; as {@link ApprovalOutcome}. */
export type RequestEndOutcome =
  | { readonly result: "taken" | "over"; readonly paymentId: PaymentId }
  | { readonly result: "unknown" };

/** Whose payments are meant: those that an application of a TPP has entered for one PSU. */
export interface Payer {
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
}

/** Of which of them; what is not there does not matter. */
export type PayerFilter = Partial<Payer>;

/** What became of the payments of a payer that waited. */
export interface EndedWaiting {
  readonly ended: readonly PaymentId[];
  /** Of those that auth has, their requests there. */
  readonly asked: readonly SigningRequestId[];
}

/** A request at auth of which no decision was taken yet. */
export interface OpenRequest {
  readonly paymentId: PaymentId;
  readonly signId: SignId;
  readonly requestId: SigningRequestId;
  /** The time to approve is over: it should be ended at auth, and what auth says taken. */
  readonly isOverdue: boolean;
}

/** The right to bring one payment a step further, until somebody else has taken it. */
export interface Lease {
  readonly paymentId: PaymentId;
  /** Where it stood when it was taken: `approved`, `handed_over` or `accepted`, unless somebody has changed what waits by hand. */
  readonly state: PaymentStateName;
  /** Since when it stands there. */
  readonly since: Date;
  /** How often it was taken since its approval, this time included. */
  readonly attempt: number;
  /** The day on which the bank executes it. */
  readonly executionDate: string;
}

/** How many to take at once, and for how long. */
export interface LeaseTerms {
  readonly limit: number;
  readonly leaseMilliseconds: number;
}

/** The order to hand over. `refused`: it is not what was approved, and the payment is rejected. `lost`: another has the lease. */
export type HandOver =
  | { readonly result: "handed_over"; readonly payment: ApprovedPayment }
  | { readonly result: "refused" }
  | { readonly result: "lost" };

/** What a bank answers to an order; when accepted, when to ask how it goes. */
export type BankAnswer =
  | { readonly outcome: "accepted"; readonly lookAt: Date }
  | { readonly outcome: "rejected"; readonly reason: string };

/** How a bank has ended an order. */
export type Settlement =
  | { readonly outcome: "completed"; readonly entryReference: string | undefined }
  | { readonly outcome: "rejected"; readonly reason: string };

/**
 * What may be forgotten: payments that have been finished for longer than the one time, keys that are older than the other, at
 * most `limit` of each. The clock that counts is that of the store: nothing brings back what one that is wrong has deleted.
 */
export interface Forgetting {
  readonly finishedMilliseconds: number;
  readonly keysMilliseconds: number;
  readonly limit: number;
}

/** By whom a payment was entered, and by which consent of its PSU. */
export type InitiatedPayment = Pick<PaymentTerms, "organisationIdentifier" | "applicationId" | "consentId">;

/**
 * The payments of all TPPs, durable. Every act is one transaction: all of it is there afterwards, or nothing. Of any number
 * of callers at once, in any number of processes, each sees what those before it have done: a payment makes one move at a
 * time, and every move is written with its time and cause in the same transaction. A rejected promise says that it is not
 * known whether the act was done; every act may be done again, and then changes nothing or says what is.
 *
 * A payment that has been deleted does not exist for its owners. Of one that waits for its PSU beyond its time nothing is
 * begun or changed any more; but it has not expired until that is written, which is once auth has said that it has no approval
 * of it: one that was given in time may be on its way, also one that this store had known of before it was lost.
 */
export interface PaymentStore {
  /**
   * Enters a payment, once. Under one idempotency key a TPP enters one payment, and gets it again for a day; under one
   * instruction identification it enters one for as long as that payment is kept, also when it was deleted, expired or
   * rejected. A duplicate leaves its idempotency key free.
   */
  enter(terms: PaymentTerms, entry: Entry, act: PaymentAct): Promise<EntryOutcome>;
  /** What a key has entered at `now`; undefined when nothing, so that it may be entered. */
  findEntered(of: Enterer, idempotency: IdempotencyKey, now: Date): Promise<KnownEntry | undefined>;
  /** The payment that a TPP has entered under an instruction identification; undefined when there is none. */
  findInstruction(of: OrganisationIdentifier, instruction: string): Promise<PaymentId | undefined>;
  /** The payment as it is; that it has expired is told once that is written. */
  find(owned: OwnedPayment): Promise<Payment | undefined>;
  /** A new attempt to have it approved where the last one has ended, else the one that counts (COBS 3.2.8). */
  openSigning(owned: OwnedPayment, signId: SignId, act: PaymentAct): Promise<SigningOutcome>;
  /**
   * Keeps that auth has the order under this request. Until this is done nobody may be sent there. When it is refused, the
   * request must be ended at auth.
   */
  attachRequest(
    owned: OwnedPayment,
    request: { readonly signId: SignId; readonly requestId: SigningRequestId },
    act: PaymentAct,
  ): Promise<SigningOutcome>;
  /**
   * Takes an approval, once for ever, and puts the payment before the bank. The digest is computed from the order as it is
   * kept at this moment, under the payment's lock.
   */
  takeApproval(approval: Approval, act: PaymentAct): Promise<ApprovalOutcome>;
  /** Takes that the PSU has refused: the payment is rejected. */
  takeRefusal(requestId: SigningRequestId, reason: PsuRefusal, act: PaymentAct): Promise<RequestEndOutcome>;
  /**
   * Takes that a request has expired: this attempt is over, and the payment too where its own time is, by both clocks as at
   * {@link expireUnsigned}.
   */
  takeExpiry(requestId: SigningRequestId, act: PaymentAct): Promise<RequestEndOutcome>;
  /** Takes that a request was cancelled at auth, by us: as its expiry. */
  takeCancellation(requestId: SigningRequestId, act: PaymentAct): Promise<RequestEndOutcome>;
  /** Takes that a request was ended at auth with what it hangs on: the payment is rejected. */
  takeConsentEnd(requestId: SigningRequestId, act: PaymentAct): Promise<RequestEndOutcome>;
  /** Whose payments wait for their PSU. */
  waitingPayers(of: PayerFilter): Promise<readonly Payer[]>;
  /** Attempts of a payer that wait, and that auth is not known to have, or to have had. */
  findUnasked(payer: Payer): Promise<readonly NamedSigning[]>;
  /**
   * Rejects the payments of a payer that wait, because what they hang on has ended; those that auth has wait until it has said
   * how that ended, and those whose time is over and that auth was never asked for until they expire.
   */
  endWaiting(payer: Payer, act: PaymentAct): Promise<EndedWaiting>;
  /** Deletes a payment that nobody can approve any more. */
  delete(owned: OwnedPayment, act: PaymentAct): Promise<DeletionOutcome>;
  /** Requests at auth that nobody has looked up for `leaseMilliseconds`, the oldest first; no two callers get the same. */
  dueForLookUp(terms: LeaseTerms, act: PaymentAct): Promise<readonly OpenRequest[]>;
  /**
   * Takes payments that the bank has not answered for yet. One that was `handed_over` before must be looked up at the bank;
   * it is sent again, after {@link handOver}, when the bank does not know it.
   */
  dueForHandOver(terms: LeaseTerms, act: PaymentAct): Promise<readonly Lease[]>;
  /** Takes payments that the bank executes, and should be asked about. */
  dueForSettlement(terms: LeaseTerms, act: PaymentAct): Promise<readonly Lease[]>;
  /** Writes that the order goes to the bank, before it does; what is sent is what this gives, proven once more. */
  handOver(lease: Lease, act: PaymentAct): Promise<HandOver>;
  /** Writes the bank's answer to an order that was handed over. */
  takeAnswer(lease: Lease, answer: BankAnswer, act: PaymentAct): Promise<"moved" | "lost">;
  /** Writes how the bank has ended an order that was handed over. */
  takeSettlement(lease: Lease, settlement: Settlement, act: PaymentAct): Promise<"moved" | "lost">;
  /**
   * Takes away the place before the bank of a payment that nobody has approved, or that has ended, and writes that into its
   * record; the state stays. No act of this store gives such a place: whoever did can write the database.
   */
  refuseLease(lease: Lease, act: PaymentAct): Promise<"refused" | "lost">;
  /**
   * Looks at payments that are approved and have not ended, at most `limit`, the first ones or those behind a place. Those without
   * a place before the bank get one again, as one that was taken before, each once, and that is written into their records; their
   * states stay. No act of this store takes it away: whoever did can write the database. A place whose turn is later than any right
   * clock puts it, by the time of the database, is due at once: that of a process was ahead. Neither keeps the other from its end.
   */
  restorePlaces(limit: number, act: PaymentAct, after?: UnendedPlace): Promise<RestoredPlaces>;
  /** Gives a payment back until then; the state stays. */
  postpone(lease: Lease, until: Date): Promise<void>;
  /**
   * Payments that nobody has approved in time, those that auth was never asked for or those of which it has told that. Their time
   * is over by the caller's clock and by that of the store: a process whose clock is ahead finds none early.
   */
  findOverdue(wanted: WantedOverdue, act: PaymentAct): Promise<OverdueBatch>;
  /**
   * Keeps that auth has the order under this request, also of a payment whose time is over: then it waits for what auth says, as
   * each that auth has. False when that is known by now, or it waits no more.
   */
  attachKnown(signing: NamedSigning, requestId: SigningRequestId, act: PaymentAct): Promise<boolean>;
  /**
   * Writes the end of such payments, of which auth has said that it has no approval, and gives those that the caller has ended.
   * One that auth has by now, or that somebody else has ended, stays as it is. One that cannot be ended keeps no other one from
   * its end.
   */
  expireUnsigned(overdue: readonly OverduePayment[], act: PaymentAct): Promise<ExpiredPayments>;
  /** Deletes what need not be told any more, with its record; gives the greater number of both. */
  forgetOld(forgetting: Forgetting): Promise<number>;
  /** The record of a payment, the first move first; empty when it is not kept. */
  movesOf(id: PaymentId): Promise<readonly MadeMove[]>;
  /** By whom a payment was entered; undefined when it is not kept. */
  initiatorOf(id: PaymentId): Promise<InitiatedPayment | undefined>;
}
