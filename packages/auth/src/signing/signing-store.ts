import type { PsuId } from "@cobs/cobs-model";
import type { ListBatch } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import type { Payer, PaymentConsentEnd } from "./payment-consent-postgres.ts";
import type { SigningMove, SigningRequest, SigningTerms, WaitingSigningRequest } from "./signing-request.ts";
import type { SigningRequestId } from "./signing-request-id.ts";
import type { HoldOff } from "./signing-standing.ts";

/** Who changes a request, and when. */
export interface SigningAct {
  readonly act: Act;
  readonly now: Date;
  /** Time of the sign-in, when the actor is a PSU. */
  readonly authenticatedAt?: Date;
  /** Our own id of the passkey that has answered, when a move rests on one. */
  readonly passkey?: string;
}

/** Outcome of asking for a request. At most one is kept under one payment and sign id. */
export type RequestOutcome =
  | { readonly result: "created" | "known"; readonly request: SigningRequest }
  /** The request kept under these ids differs in more than its expiry, return URL and certificate. */
  | { readonly result: "different" }
  /** The request kept under these ids has come with as many certificates as are noted, and now with yet another. */
  | { readonly result: "certificates_used_up" }
  /** The consent that it would depend on is over (`payment-consent-postgres.ts`). */
  | { readonly result: "consent_ended" };

/** A request after a decision, and the move that was made; undefined when none was. */
export interface Settled {
  readonly request: SigningRequest;
  readonly move: SigningMove | undefined;
  /** Why no move was made, or the hold-off that this move began; it holds for every order of the PSU. */
  readonly heldOff?: HoldOff;
}

/** An attempt to have a payment approved, as resource names it. */
export type NamedSigning = Pick<SigningTerms, "paymentId" | "signId">;

/** A request kept for such an attempt. */
export type KnownSigning = Pick<SigningTerms, "id" | "paymentId" | "signId">;

/** How far the overdue requests were read. */
export interface OverdueCursor {
  readonly expiresAt: Date;
  readonly id: SigningRequestId;
}

/**
 * Durable store of signing requests. Nothing is deleted here: decided requests are kept for years (`records`). Every change of
 * state is written to the audit log in the same transaction, and to the event feed too unless it is a cancellation.
 */
export interface SigningStore {
  /**
   * Keeps a request. Repeated calls, also concurrent ones, get the kept one. While it waits, they change its return URL and add
   * their certificates, and nothing else. A request is cancelled at once when a certificate that it has just come with is
   * blocked.
   */
  request(terms: SigningTerms, by: SigningAct): Promise<RequestOutcome>;
  /** Finds a request as it is at `now`: an overdue request is given as expired, even when that is not written yet. */
  find(id: SigningRequestId, now: Date): Promise<SigningRequest | undefined>;
  /** Finds the requests kept for these attempts, in any state and in no order. */
  findKnown(signings: readonly NamedSigning[]): Promise<readonly KnownSigning[]>;
  /**
   * Decides about a waiting request. Concurrent calls run one after another, and each sees the decisions before it. `decide` is
   * called only while the request waits; when it throws, nothing changes; undefined leaves the request as it is.
   * A PSU can make no move when the bank has blocked them since they signed in, when the passkey that has answered is removed,
   * or when their standing forbids it (`signing-standing.ts`), which is counted over all of their orders, in every process.
   * Where the consent or certificate behind the order has ended, any decision of the PSU cancels it. An expiry is written as by
   * `expire`, when both clocks agree; when only the caller's clock says so, or only the database's says that the consent has
   * expired, the PSU can make no move.
   */
  settle(
    id: SigningRequestId,
    by: SigningAct,
    decide: (waiting: WaitingSigningRequest) => SigningMove | undefined,
  ): Promise<Settled | undefined>;
  /** Finds why a PSU can get no code now, and perhaps approve nothing either: `settle` would make no such move. */
  findHoldOff(psu: PsuId, now: Date): Promise<HoldOff | undefined>;
  /** Tells whether one of the certificates that a request has come with is blocked now. Never cached. */
  hasBlockedCertificate(request: Pick<SigningTerms, "certificates">): Promise<boolean>;
  /** Finds how a PSU's consent to an application's payments is over; undefined while it is not. Never cached. */
  findConsentEnd(payer: Payer): Promise<PaymentConsentEnd | undefined>;
  /**
   * Writes the expiry of at most `limit` overdue requests, starting after `after` if given. A request must be overdue by the
   * caller's clock and by that of the store: a process whose clock is ahead ends none early.
   */
  expire(by: SigningAct, limit: number, after?: OverdueCursor): Promise<ListBatch<OverdueCursor>>;
}
