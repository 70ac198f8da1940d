/**
 * A payment of a TPP, from its entry to its end (COBS 3.2). This folder owns the payment, its states and every move between
 * them, the bytes that its PSU approves, and the store. It does not own what an order may say (cobs-model), how a PSU
 * approves (auth), nor the money (the bank).
 *
 * A state holds only what is true in it: nothing is approved without its approval, and nothing is handed over that was not
 * approved. `payment-moves.ts` is the only way from one state to another.
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
  /** Account of the order's debtor. */
  readonly account: AccountId;
  readonly order: PaymentOrder;
  /** Execution date that the PSU is shown (ISODate). */
  readonly executionDate: string;
  /** Fee that the PSU is shown. */
  readonly fee: Money | undefined;
  /** Whether the bank has changed what was asked for (ACWC). */
  readonly changed: boolean;
  /** The canonical bytes (RFC 8785) that auth shows, in UTF-8. */
  readonly orderText: string;
  /** SHA-256 of these bytes. */
  readonly digest: Buffer;
  readonly createdAt: Date;
  /** When the PSU's time to approve ends. */
  readonly expiresAt: Date;
}

/** The PSU's approval of exactly these bytes (RTS Article 5), as auth reports it. */
export interface Approval {
  readonly id: ApprovalId;
  readonly requestId: SigningRequestId;
  /** SHA-256 of the bytes that the PSU saw. */
  readonly digest: Buffer;
  readonly methods: readonly string[];
  readonly approvedAt: Date;
}

/** The current attempt to have a payment approved. */
export type Signing =
  /** The PSU has not been asked. */
  | { readonly state: "open" }
  /** Auth has the order: until auth reports that the request is over, it may be approved at any moment. */
  | { readonly state: "asked"; readonly requestId: SigningRequestId }
  /** Auth has reported that the request is over, and nobody has approved. */
  | { readonly state: "ended"; readonly requestId: SigningRequestId; readonly ending: SigningEnding };

/** How a request without a decision ended. */
export type SigningEnding = "expired" | "cancelled";

/** Why the PSU did not approve: they declined, or their last try was wrong. */
export const PSU_REFUSALS = ["declined", "tries_exhausted"] as const;

/** One of {@link PSU_REFUSALS}. */
export type PsuRefusal = (typeof PSU_REFUSALS)[number];

/**
 * Why an approval is not taken, so that the payment is rejected:
 * - `digest_mismatch`: what was approved is not what was entered
 * - `approval_used`: the approval is that of another payment
 * - `approval_late`: the approval was given after the time to approve
 */
export const APPROVAL_FAULTS = ["digest_mismatch", "approval_used", "approval_late"] as const;

/** One of {@link APPROVAL_FAULTS}. */
export type ApprovalFault = (typeof APPROVAL_FAULTS)[number];

/** Why a payment was rejected. */
export type Rejection =
  | { readonly by: "psu"; readonly reason: PsuRefusal; readonly requestId: SigningRequestId }
  | { readonly by: "approval_check"; readonly reason: ApprovalFault; readonly requestId: SigningRequestId }
  /**
   * What the payment depends on ended before the PSU had decided (PSD2 Article 80(2)); `requestId` is undefined if the PSU
   * was never asked.
   */
  | {
      readonly by: "consent";
      readonly reason: "consent_ended";
      readonly requestId: SigningRequestId | undefined;
    }
  /** The order had changed when it was to be handed over. */
  | { readonly by: "execution_check"; readonly reason: "digest_mismatch"; readonly approval: Approval }
  /** The bank's own reason, e.g. a code of ISO 20022. */
  | { readonly by: "bank"; readonly reason: string; readonly approval: Approval };

/** All attempts to have it approved: the current or last one, and those before it. */
interface SignIds {
  readonly signId: SignId;
  readonly earlierSignIds: readonly SignId[];
}

/** The payment waits for its PSU. */
export type EnteredState = SignIds & {
  readonly state: "entered";
  readonly signing: Signing;
  readonly expiresAt: Date;
};
/** The PSU has approved, and the bank has not been told. */
export type ApprovedState = SignIds & { readonly state: "approved"; readonly approval: Approval };
/** The bank may already know the order: the bank is asked before it is sent again. */
export type HandedOverState = SignIds & { readonly state: "handed_over"; readonly approval: Approval };
/** The bank executes the order, perhaps on a later day. */
export type AcceptedState = SignIds & { readonly state: "accepted"; readonly approval: Approval };
/** The bank has settled the order on the debtor's account. */
export type CompletedState = SignIds & {
  readonly state: "completed";
  readonly approval: Approval;
  /** Reference of the entry in the account's history. */
  readonly entryReference: string | undefined;
};
export type RejectedState = SignIds & { readonly state: "rejected"; readonly rejection: Rejection };
export type ExpiredState = SignIds & { readonly state: "expired" };
/** Deleted by its TPP: as if it had never existed, except that its instruction identification stays taken. */
export type DeletedState = SignIds & { readonly state: "deleted" };

/** State of a payment. */
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

/** States of payments that wait for the bank: approved, and not ended. */
export const STATES_BEFORE_BANK = [
  "approved",
  "handed_over",
  "accepted",
] as const satisfies readonly PaymentStateName[];

/** A payment that can be presented; a deleted one looks as if it did not exist (COBS 3.2.7). */
export type Payment = PaymentTerms & Exclude<PaymentState, DeletedState>;

/** A payment that a bank may have to execute. */
export type ApprovedPayment = PaymentTerms & (ApprovedState | HandedOverState | AcceptedState);

/** A payment as it was at its entry; presented again when it is entered again under its idempotency key. */
export type EnteredPayment = PaymentTerms & EnteredState;
