/**
 * The PSU's approval, as auth keeps it. This folder owns asking auth for it, and taking what became of it into the payment,
 * whether or not the TPP ever comes back; how a PSU approves is auth's, and what follows from an approval is the payment's.
 */
import type { TppIdentity } from "@cobs/psd2-certificates";
import type { OnBehalf } from "@cobs/service-edge";
import type { NamedSigning } from "../payments/overdue-payments.ts";
import type { Approval, PaymentTerms, PsuRefusal } from "../payments/payment.ts";
import type { SignId, SigningRequestId } from "../payments/payment-ids.ts";
import type { Payer } from "../payments/payment-store.ts";

/** What a PSU is to approve, and where their browser goes afterwards; undefined is the first address that is registered. */
export interface WantedSigning {
  readonly payment: Pick<
    PaymentTerms,
    "id" | "psu" | "organisationIdentifier" | "applicationId" | "orderText" | "digest" | "expiresAt"
  >;
  readonly signId: SignId;
  /** With the certificate of the call: with a block of it auth ends what was asked for with it. */
  readonly tpp: Pick<TppIdentity, "thumbprint" | "twinThumbprint">;
  readonly returnUrl: string | undefined;
  readonly onBehalf: OnBehalf;
}

/** What became of a request. */
export type SigningState =
  | { readonly state: "waiting" }
  | { readonly state: "approved"; readonly approval: Approval }
  | { readonly state: "refused"; readonly reason: PsuRefusal }
  /** By us, or by auth because what it hangs on has ended. */
  | { readonly state: "cancelled"; readonly because: "consent_ended" | undefined }
  | { readonly state: "expired" };

/** A request as auth keeps it; the PSU decides at `url`. */
export type SigningReport = SigningState & { readonly requestId: SigningRequestId; readonly url: string };

/**
 * Why auth does not take an order:
 * - `return_url_unregistered`: the application has not registered the address (COBS A-51)
 * - `application_unknown`: the application is gone, or may not initiate payments any more, at all or for this PSU
 */
export const ORDER_REFUSALS = ["return_url_unregistered", "application_unknown"] as const;

/** One of {@link ORDER_REFUSALS}. */
export type OrderRefusal = (typeof ORDER_REFUSALS)[number];

/** An attempt to have a payment approved, with the request that auth has for it. */
export interface KnownSigning extends NamedSigning {
  readonly requestId: SigningRequestId;
}

/** So many attempts are asked about at once, at most. */
export const MOST_NAMED_SIGNINGS = 100;

/**
 * Auth, asked about approvals. Every question may be put again. Throws `PrivateServiceUnavailable` when auth does not answer,
 * and `SigningRefusal` when its answer cannot be believed: both mean that it is not known what auth has done.
 */
export interface SigningAuthority {
  /** Has the PSU asked; asking again gives the same request, which leads back to the address that is asked for last. */
  ask(wanted: WantedSigning): Promise<SigningReport | { readonly refused: OrderRefusal }>;
  /**
   * Those of 1 to 100 attempts for which auth has a request, whatever became of it; that it cannot be asked now, as while its
   * database is away, counts as no answer.
   */
  findKnown(named: readonly NamedSigning[]): Promise<readonly KnownSigning[]>;
  /** Undefined when auth has no such request. */
  find(requestId: SigningRequestId): Promise<SigningReport | undefined>;
  /** Ends a request that waits; one that was decided before stays as it is. Undefined when auth has no such request. */
  cancel(requestId: SigningRequestId, onBehalf?: OnBehalf): Promise<SigningReport | undefined>;
  /** Whether what the payments of a payer hang on has ended: a consent, an application, or a TPP that was blocked. */
  hasConsentEnded(payer: Payer): Promise<boolean>;
}
