/**
 * An order that waits for its PSU's approval, and what became of it. This folder owns the order's bytes and digest, the
 * states of a request and the element that an approval is bound by (RTS Article 5); it does not own the payment (resource
 * does), how a PSU signs in (psu, psu-session), nor what the pages look like.
 */
import type { ApplicationId, PsuId } from "@cobs/cobs-model";
import type { CertificateThumbprint, OrganisationIdentifier } from "@cobs/psd2-certificates";
import type { SignInMethod } from "../psu/psu-login.ts";
import type { Order } from "./order.ts";
import type { ApprovalId, SigningRequestId } from "./signing-request-id.ts";

/** What is to be approved, by whom and for whom; but for `returnUrl` never changed afterwards. */
export interface SigningTerms {
  readonly id: SigningRequestId;
  /** Of resource: the payment, and the one of its signings (COBS `signId`). */
  readonly paymentId: string;
  readonly signId: string;
  readonly psu: PsuId;
  readonly organisationIdentifier: OrganisationIdentifier;
  readonly applicationId: ApplicationId;
  /** Of the certificate with which the TPP has asked for this, in all of its forms; empty where resource does not say. */
  readonly certificates: readonly CertificateThumbprint[];
  /** Registered by the application; where the PSU goes back to, whatever the outcome: the one asked for last. */
  readonly returnUrl: string;
  readonly order: Order;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** By what an approval was given; a bank's record of strong authentication. */
export type ApprovalMethod = SignInMethod | ApprovalElement["element"];

/** What a PSU shows to approve one order and no other (RTS Article 5(1)(b)). Each kind is judged in `judge-approval.ts`. */
export type ApprovalElement =
  | {
      readonly element: "delivered_code";
      readonly code: string;
      /** What this browser alone holds, since the code was asked for. */
      readonly browser: string;
    }
  | {
      readonly element: "passkey";
      /** Undefined when nothing was proven. */
      readonly proof: OrderProof | undefined;
    };

/** That a passkey of a PSU has answered a challenge made from this order. */
export interface OrderProof {
  readonly psu: PsuId;
  readonly request: SigningRequestId;
  readonly digest: Buffer;
}

/** That the PSU has approved: what resource executes upon. */
export interface Approval {
  readonly id: ApprovalId;
  /** SHA-256 of the canonical bytes that the PSU saw. */
  readonly digest: Buffer;
  /** Those of the sign-in, and the element at the end. */
  readonly methods: readonly ApprovalMethod[];
}

/** The code that counts at the moment. */
export interface KeptCode {
  readonly hash: Buffer;
  readonly browserHash: Buffer;
  readonly expiresAt: Date;
}

/**
 * Why it was refused:
 * - `declined`: the PSU pressed the button
 * - `tries_exhausted`: the last of the wrong elements (RTS Article 4(3)(b))
 */
export type SigningRefusalReason = "declined" | "tries_exhausted";

/**
 * Why it was cancelled, where resource has not taken it back:
 * - `consent_ended`: what it hangs on has ended (`payment-consent-postgres.ts`)
 * - `certificate_blocked`: the certificate is blocked with which it was asked for
 */
export type CancellationCause = "consent_ended" | "certificate_blocked";

/** What a cancelled request keeps of it. The audit log alone has the other: the TPP may ask for the same payment anew. */
export type KeptCause = Extract<CancellationCause, "consent_ended">;

/** A request that can still be decided. */
export type WaitingSigningRequest = SigningTerms & {
  readonly state: "waiting";
  readonly code: KeptCode | undefined;
  readonly codesMade: number;
  readonly tries: number;
};

/** A request and what became of it. There is no way from any other state than `waiting`. */
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
  /** It did not reach the PSU: it counts for nothing, and not as one of those of this order. */
  | { readonly move: "drop_code" };
