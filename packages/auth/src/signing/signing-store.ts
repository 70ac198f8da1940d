import type { PsuId } from "@cobs/cobs-model";
import type { PlacedBatch } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import type { Payer, PaymentConsentEnd } from "./payment-consent-postgres.ts";
import type { SigningMove, SigningRequest, SigningTerms, WaitingSigningRequest } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import type { HoldOff } from "./signing-standing.ts";

/** Who changes a request, and when. */
export interface SigningAct {
  readonly act: Act;
  readonly now: Date;
  /** Of a PSU: since when they are signed in. */
  readonly authenticatedAt?: Date;
}

/** What became of a new request: under one payment and sign id there is one, for as long as it is kept. */
export type RequestOutcome =
  | { readonly result: "created" | "known"; readonly request: SigningRequest }
  /** What is kept under these ids differs in more than its expiry and return URL. */
  | { readonly result: "different" }
  /** What it would hang on is over (`payment-consent-postgres.ts`). */
  | { readonly result: "consent_ended" };

/** A request as it is afterwards, and the move that was made; undefined when none was. */
export interface Settled {
  readonly request: SigningRequest;
  readonly move: SigningMove | undefined;
  /** Why none was made, or what this one has led to; it holds for every order of the PSU. */
  readonly heldOff?: HoldOff;
}

/** An attempt to have a payment approved, as resource names it. */
export type NamedSigning = Pick<SigningTerms, "paymentId" | "signId">;

/** A request that is kept for such an attempt. */
export type KnownSigning = Pick<SigningTerms, "id" | "paymentId" | "signId">;

/** A place among the requests that nobody has decided in time. */
export interface OverduePlace {
  readonly expiresAt: Date;
  readonly id: SigningRequestId;
}

/**
 * The signing requests, durable, and never deleted here: once decided they are kept for years (`records`). Every change of
 * state is told in the event feed and in the audit log, in its own transaction.
 */
export interface SigningStore {
  /**
   * Keeps a request; the same one again, also many at once, gives what is kept, and changes nothing but where its PSU goes back to
   * while it waits.
   */
  request(terms: SigningTerms, by: SigningAct): Promise<RequestOutcome>;
  /** As it is at `now`: a waiting request whose time is over has expired, also when nobody has written it yet. */
  find(id: SigningRequestId, now: Date): Promise<SigningRequest | undefined>;
  /** The requests that are kept for these attempts, whatever became of them, in no order. */
  findKnown(signings: readonly NamedSigning[]): Promise<readonly KnownSigning[]>;
  /**
   * Decides about a waiting request; of any number of calls at once each sees what those before it have decided, and
   * `decide` is asked only while it waits. What `decide` throws changes nothing; undefined leaves the request as it is.
   * A PSU makes no move when the bank has blocked them since they signed in, nor one that their standing does not allow
   * (`signing-standing.ts`): that is counted over all of their orders, in every process. Where what the order hangs on has
   * ended, whatever the PSU decides cancels it. That its time is over is written as in `expire`, by both clocks; by the
   * caller's alone the PSU makes no move, and none where only the database's says that the consent has expired.
   */
  settle(
    id: SigningRequestId,
    by: SigningAct,
    decide: (waiting: WaitingSigningRequest) => SigningMove | undefined,
  ): Promise<Settled | undefined>;
  /** Why a PSU gets no further code now, and perhaps approves nothing either: `settle` would make no such move. */
  findHoldOff(psu: PsuId, now: Date): Promise<HoldOff | undefined>;
  /** How what the orders of an application and a PSU hang on is over; undefined while it is not. Never cached. */
  findConsentEnd(payer: Payer): Promise<PaymentConsentEnd | undefined>;
  /**
   * Writes the end of those whose time is over, at most `limit`, behind a place if one is named. It must be over by the caller's
   * clock and by that of the store: a process whose clock is ahead ends none early.
   */
  expire(by: SigningAct, limit: number, after?: OverduePlace): Promise<PlacedBatch<OverduePlace>>;
}
