/**
 * The PSU's approval, as auth keeps it. This folder owns asking auth for the approval, and taking its outcome into the
 * payment, whether or not the TPP ever comes back. Auth owns how a PSU approves, and `payments` what follows from an
 * approval.
 */
import type { TppIdentity } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";
import type { NamedSigning } from "../payments/overdue-payments.ts";
import type { Approval, PaymentTerms, PsuRefusal } from "../payments/payment.ts";
import type { SignId, SigningRequestId } from "../payments/payment-ids.ts";
import type { Payer } from "../payments/payment-store.ts";

/** What a PSU is to approve, and where their browser goes afterwards; without `returnUrl`, to the first registered address. */
export interface WantedSigning {
  readonly payment: Pick<
    PaymentTerms,
    "id" | "psu" | "organisationIdentifier" | "applicationId" | "orderText" | "digest" | "expiresAt"
  >;
  readonly signId: SignId;
  /** The certificate of the call: when it is blocked, auth ends the requests made with it. */
  readonly tpp: Pick<TppIdentity, "thumbprint" | "twinThumbprint">;
  readonly returnUrl: string | undefined;
  readonly onBehalf: OnBehalf;
}

/** State of a request. */
export type SigningState =
  | { readonly state: "waiting" }
  | { readonly state: "approved"; readonly approval: Approval }
  | { readonly state: "refused"; readonly reason: PsuRefusal }
  /** Cancelled by us, or by auth because what the request depends on has ended. */
  | { readonly state: "cancelled"; readonly because: "consent_ended" | undefined }
  | { readonly state: "expired" };

/** A request as auth keeps it; the PSU decides at `url`. */
export type SigningReport = SigningState & { readonly requestId: SigningRequestId; readonly url: string };

/**
 * Why auth does not take an order:
 * - `return_url_unregistered`: the application has not registered the address (COBS A-51)
 * - `application_unknown`: the application is gone, or may not initiate payments any more, at all or for this PSU
 * - `certificates_used_up`: the TPP has started this authorization with as many certificates as auth notes
 */
export const ORDER_REFUSALS = [
  "return_url_unregistered",
  "application_unknown",
  "certificates_used_up",
] as const;

/** One of {@link ORDER_REFUSALS}. */
export type OrderRefusal = (typeof ORDER_REFUSALS)[number];

/** An attempt to have a payment approved, with the request that auth has for it. */
export interface KnownSigning extends NamedSigning {
  readonly requestId: SigningRequestId;
}

/** Most attempts that one question may name. */
export const MOST_NAMED_SIGNINGS = 100;

/**
 * Asks auth about approvals. Every question may be repeated. Throws `PrivateServiceUnavailable` when auth does not answer, or
 * answers that its database is unreachable, and `SigningRefusal` when its answer cannot be believed. After either it is
 * unknown what auth has done.
 */
export interface SigningAuthority {
  /** Makes auth ask the PSU. Asking again gives the same request, which leads back to the address named last. */
  ask(wanted: WantedSigning): Promise<SigningReport | { readonly refused: OrderRefusal }>;
  /** Finds which of 1 to 100 attempts auth has a request for, whatever its state. */
  findKnown(named: readonly NamedSigning[]): Promise<readonly KnownSigning[]>;
  /** Undefined when auth has no such request. */
  find(requestId: SigningRequestId): Promise<SigningReport | undefined>;
  /** Ends a request that waits; one that was decided before stays as it is. Undefined when auth has no such request. */
  cancel(requestId: SigningRequestId, onBehalf?: OnBehalf): Promise<SigningReport | undefined>;
  /** Whether what a payer's payments depend on has ended: the consent or the application ended, or the TPP was blocked. */
  hasConsentEnded(payer: Payer): Promise<boolean>;
}
