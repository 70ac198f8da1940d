/**
 * A payment of a TPP, from its entry to its end (COBS 3.2). This folder owns the payment, its states and every
 * move between them, the bytes that its PSU approves, and the store; it does not own what an order may say (cobs-model),
 * how a PSU approves (auth), nor the money (the bank).
 *
 * A state holds what is true in it and no more: nothing is approved without its approval, and nothing is handed over that
 * was not approved. `payment-moves.ts` is the only way from one to another.
 */
import type { AccountId, ApplicationId, Money, PaymentOrder, PsuId } from "@cobs/cobs-model";
import type { OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { ConsentId } from "../introspection/token-introspection.ts";
import type { ApprovalId, PaymentId, SignId, SigningRequestId } from "./payment-ids.ts";

/** What was entered, by whom and for whom: never changed afterwards. */
export interface PaymentTerms {
  readonly id: PaymentId;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  readonly psu: PsuId;
  readonly consentId: ConsentId;
  /** That of the order's debtor. */
  readonly account: AccountId;
  readonly order: PaymentOrder;
  /** The day that the PSU is shown (ISODate). */
  readonly executionDate: string;
  /** What the PSU is shown that it costs them. */
  readonly fee: Money | undefined;
  /** Whether the bank has changed what was asked for (ACWC). */
  readonly changed: boolean;
  /** The canonical bytes (RFC 8785) that auth shows; they are UTF-8. */
  readonly orderText: string;
  /** SHA-256 of them. */
  readonly digest: Buffer;
  readonly createdAt: Date;
  /** Until then the PSU may approve. */
  readonly expiresAt: Date;
}

/** That the PSU has approved these bytes and no others (RTS Article 5), as auth says. */
export interface Approval {
  readonly id: ApprovalId;
  readonly requestId: SigningRequestId;
  /** Of the bytes that the PSU saw. */
  readonly digest: Buffer;
  readonly methods: readonly string[];
  readonly approvedAt: Date;
}

/** The attempt to have a payment approved that counts at the moment. */
export type Signing =
  /** The PSU has not been asked. */
  | { readonly state: "open" }
  /** Auth has the order: until it says that the request is over, it may be approved at any moment. */
  | { readonly state: "asked"; readonly requestId: SigningRequestId }
  /** Auth has said that the request is over, and nobody has approved. */
  | { readonly state: "ended"; readonly requestId: SigningRequestId; readonly ending: SigningEnding };

/** How a request ended of which nothing was decided. */
export type SigningEnding = "expired" | "cancelled";

/** Why the PSU's approval is not there: they pressed the button, or the last wrong element was used up. */
export const PSU_REFUSALS = ["declined", "tries_exhausted"] as const;

/** One of {@link PSU_REFUSALS}. */
export type PsuRefusal = (typeof PSU_REFUSALS)[number];

/**
 * Why an approval is not taken, and the payment with it:
 * - `digest_mismatch`: what was approved is not what was entered
 * - `approval_used`: it is that of another payment
 * - `approval_late`: it was given when the time to approve was over
 */
export const APPROVAL_FAULTS = ["digest_mismatch", "approval_used", "approval_late"] as const;

/** One of {@link APPROVAL_FAULTS}. */
export type ApprovalFault = (typeof APPROVAL_FAULTS)[number];

/** Why a payment was rejected. */
export type Rejection =
  | { readonly by: "psu"; readonly reason: PsuRefusal; readonly requestId: SigningRequestId }
  | { readonly by: "approval_check"; readonly reason: ApprovalFault; readonly requestId: SigningRequestId }
  /** What it hangs on has ended before the PSU had decided (PSD2 Article 80(2)); undefined where they were never asked. */
  | {
      readonly by: "consent";
      readonly reason: "consent_ended";
      readonly requestId: SigningRequestId | undefined;
    }
  /** The order was another one when it was to be handed over. */
  | { readonly by: "execution_check"; readonly reason: "digest_mismatch"; readonly approval: Approval }
  /** The bank's own word, e.g. a code of ISO 20022. */
  | { readonly by: "bank"; readonly reason: string; readonly approval: Approval };

/** All attempts to have it approved: the one that counts, or counted last, and those before it. */
interface SignIds {
  readonly signId: SignId;
  readonly earlierSignIds: readonly SignId[];
}

/** Waits for its PSU. */
export type EnteredState = SignIds & {
  readonly state: "entered";
  readonly signing: Signing;
  readonly expiresAt: Date;
};
/** The PSU has approved, and the bank has not heard of it. */
export type ApprovedState = SignIds & { readonly state: "approved"; readonly approval: Approval };
/** The bank may have heard of it: it is asked before anything is sent again. */
export type HandedOverState = SignIds & { readonly state: "handed_over"; readonly approval: Approval };
/** The bank executes it, perhaps on a later day. */
export type AcceptedState = SignIds & { readonly state: "accepted"; readonly approval: Approval };
/** The bank has settled it on the debtor's account. */
export type CompletedState = SignIds & {
  readonly state: "completed";
  readonly approval: Approval;
  /** Of the entry in the account's history. */
  readonly entryReference: string | undefined;
};
export type RejectedState = SignIds & { readonly state: "rejected"; readonly rejection: Rejection };
export type ExpiredState = SignIds & { readonly state: "expired" };
/** By its TPP: as if it had never been, but that its instruction identification stays taken. */
export type DeletedState = SignIds & { readonly state: "deleted" };

/** Where a payment stands. */
export type PaymentState =
  | EnteredState
  | ApprovedState
  | HandedOverState
  | AcceptedState
  | CompletedState
  | RejectedState
  | ExpiredState
  | DeletedState;

/** The name of a {@link PaymentState}. */
export type PaymentStateName = PaymentState["state"];

/** Approved, and not ended: the states of what waits for the bank. */
export const STATES_BEFORE_BANK = [
  "approved",
  "handed_over",
  "accepted",
] as const satisfies readonly PaymentStateName[];

/** A payment of which something is told; a deleted one looks as if it did not exist (COBS 3.2.7). */
export type Payment = PaymentTerms & Exclude<PaymentState, DeletedState>;

/** A payment that a bank may have to execute. */
export type ApprovedPayment = PaymentTerms & (ApprovedState | HandedOverState | AcceptedState);

/** A payment as it was at first; what is told of it again when it is entered again under its idempotency key. */
export type EnteredPayment = PaymentTerms & EnteredState;
