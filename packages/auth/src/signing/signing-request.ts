/**
 * Orders that wait for a PSU's approval, and their outcome. This folder owns the order's bytes and digest, the states of a
 * request and the element that an approval is bound by (RTS Article 5). It does not own the payment (resource does), how a PSU
 * signs in (psu, psu-session), or what the pages look like.
 */
import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { SignInMethod } from "../psu/psu-login.ts";
import type { Order } from "./order.ts";
import type { ApprovalId, SigningRequestId } from "./signing-request-id.ts";

/** The order to approve, and its PSU, TPP and application. Afterwards `returnUrl` may change, and `certificates` grow. */
export interface SigningTerms {
  readonly id: SigningRequestId;
  /** Resource's id of the payment; `signId` names one of its signings (COBS `signId`). */
  readonly paymentId: string;
  readonly signId: string;
  readonly psu: PsuId;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  /** Thumbprints of every form of each certificate that the TPP asked with; empty when resource does not send them. */
  readonly certificates: readonly CertificateThumbprint[];
  /** URL, registered by the application, that the PSU returns to whatever the outcome; the last one asked for. */
  readonly returnUrl: string;
  readonly order: Order;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** How an approval was given: the bank's record of strong authentication. */
export type ApprovalMethod = SignInMethod | ApprovalElement["element"];

/** The element by which a PSU approves this order and no other (RTS Article 5(1)(b)). `judge-approval.ts` judges each kind. */
export type ApprovalElement =
  | {
      readonly element: "delivered_code";
      readonly code: string;
      /** Secret that only this browser has, set when the code was asked for. */
      readonly browser: string;
    }
  | {
      readonly element: "passkey";
      /** Undefined when the passkey proved nothing. */
      readonly proof: OrderProof | undefined;
    };

/** Proof that a PSU's passkey answered a challenge made from this order. */
export interface OrderProof {
  /** Our own id of the passkey, which may have been removed since. */
  readonly passkey: string;
  readonly psu: PsuId;
  readonly request: SigningRequestId;
  readonly digest: Buffer;
}

/** The PSU's approval, on which resource executes the payment. */
export interface Approval {
  readonly id: ApprovalId;
  /** SHA-256 of the canonical bytes that the PSU saw. */
  readonly digest: Buffer;
  /** Methods of the sign-in, then the element for the order. */
  readonly methods: readonly ApprovalMethod[];
}

/** The code that is currently valid. */
export interface KeptCode {
  readonly hash: Buffer;
  readonly browserHash: Buffer;
  readonly expiresAt: Date;
}

/**
 * Why a request was refused:
 * - `declined`: the PSU pressed the button
 * - `tries_exhausted`: the PSU gave the last allowed wrong element (RTS Article 4(3)(b))
 */
export type SigningRefusalReason = "declined" | "tries_exhausted";

/**
 * Why a request was cancelled, unless resource cancelled it:
 * - `consent_ended`: the consent that it depends on has ended (`payment-consent-postgres.ts`)
 * - `certificate_blocked`: a certificate that it was asked for with is blocked
 */
export type CancellationCause = "consent_ended" | "certificate_blocked";

/** The cause that a cancelled request stores. Only the audit log has the other: the TPP may ask for the same payment anew. */
export type KeptCause = Extract<CancellationCause, "consent_ended">;

/** A request that can still be decided. */
export type WaitingSigningRequest = SigningTerms & {
  readonly state: "waiting";
  readonly code: KeptCode | undefined;
  readonly codesMade: number;
  readonly tries: number;
};

/** A request and its outcome. No state but `waiting` changes. */
export type SigningRequest =
  | WaitingSigningRequest
  | (SigningTerms & { readonly decidedAt: Date } & (
        | { readonly state: "approved"; readonly approval: Approval }
        | { readonly state: "refused"; readonly reason: SigningRefusalReason }
        | { readonly state: "cancelled"; readonly because: KeptCause | undefined }
        | { readonly state: "expired" }
      ));

/** What may happen to a waiting request; the last three leave it waiting. */
export type SigningMove =
  | { readonly move: "approve"; readonly approval: Approval }
  | { readonly move: "refuse"; readonly reason: SigningRefusalReason }
  | { readonly move: "cancel"; readonly because?: CancellationCause }
  | { readonly move: "expire" }
  | { readonly move: "count_try" }
  | { readonly move: "replace_code"; readonly code: KeptCode }
  /** The code did not reach the PSU: it is not counted among the codes of this order. */
  | { readonly move: "drop_code" };
