import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { Clock, Log, OnBehalf } from "@cobs/service-edge";
import type { Payment } from "../payments/payment.ts";
import { signingStateOf } from "../payments/payment-statuses.ts";
import type { PaymentStore, SigningOutcome } from "../payments/payment-store.ts";
import { type FoundSigning, PAYMENT_UNKNOWN } from "./require-signing.ts";
import type { OrderRefusal, SigningAuthority, SigningReport, WantedSigning } from "./signing-authority.ts";
import { type ReportParts, takeReport } from "./take-report.ts";

/** Dependencies of the acts of signing. */
export interface SigningParts {
  readonly store: PaymentStore;
  readonly authority: SigningAuthority;
  readonly clock: Clock;
  readonly log: Log;
}

/** The part of these that starting an authorization needs. */
export interface StartParts extends ReportParts {
  readonly store: ReportParts["store"] & Pick<PaymentStore, "attachRequest" | "find">;
  readonly authority: Pick<SigningAuthority, "ask" | "cancel">;
  readonly clock: Clock;
}

/** Which authorization a TPP starts, and where its PSU returns to. */
export interface StartInput {
  readonly found: FoundSigning;
  readonly tpp: WantedSigning["tpp"];
  readonly returnUrl: string | undefined;
  readonly call: OnBehalf;
}

/** An authorization that was started: the PSU's browser goes to `url`. */
export interface StartedSigning {
  readonly payment: Payment;
  readonly url: string;
}

/** The authorization is over, and can no longer be continued (COBS 3.2.10). */
export const SIGNING_OVER: Fault = {
  code: "AUTH_LIMIT_EXCEEDED",
  path: "signId",
  message: "this authorization has ended",
};

/** Told apart, because a TPP that repeats a call must not take its refusal for a payment that failed. */
const SIGNED_ALREADY: Fault = {
  ...SIGNING_OVER,
  message: "this authorization is signed already, as its GET and PUT tell",
};

const FAULTS: Readonly<Record<OrderRefusal, Fault>> = {
  return_url_unregistered: {
    code: "FIELD_INVALID",
    path: "redirectUrl",
    message:
      "redirectUrl must be registered for the application; only its query may differ, in the characters of RFC 3986",
  },
  application_unknown: {
    code: "FORBIDDEN",
    path: undefined,
    message: "the application may no longer initiate payments",
  },
  certificates_used_up: {
    ...SIGNING_OVER,
    message: "this authorization was started with too many certificates; use one of those",
  },
};

/**
 * Makes auth ask the PSU (COBS 3.2.10). A repeated call gives the same page, from which the PSU returns to the address named
 * last. If auth already has an approval, it is taken, and the page says so. Refuses with AUTH_LIMIT_EXCEEDED when the
 * authorization is over or signed or was started with too many certificates, FIELD_INVALID for an address that auth does not
 * accept, and FORBIDDEN when the application may no longer initiate payments.
 */
export async function startSigning(parts: StartParts, input: StartInput): Promise<StartedSigning> {
  const act = { now: parts.clock.now(), requestId: input.call.requestId };
  const { payment, signId, state, owned } = input.found;
  if (state === "DONE") throw new ContentRefusal([SIGNED_ALREADY]);
  // Auth takes no order whose time is over, and may not have reported yet how the authorization ended.
  if (state !== "OPEN" || act.now >= payment.expiresAt) throw new ContentRefusal([SIGNING_OVER]);
  const { tpp, returnUrl } = input;
  const asked = await parts.authority.ask({ payment, signId, tpp, returnUrl, onBehalf: input.call });
  if ("refused" in asked) throw new ContentRefusal([FAULTS[asked.refused]]);
  // Stored before the PSU is sent there, so that an approval finds its payment.
  const attached = await parts.store.attachRequest(owned, { signId, requestId: asked.requestId }, act);
  if (attached.result === "done") {
    if (asked.state === "waiting") return { payment: attached.payment, url: asked.url };
    await takeReport(parts, { requestId: asked.requestId, report: asked }, act);
  } else if (asked.state !== "approved") return giveUp(parts, input, { asked, attached });
  return requireApproved(parts, input, asked);
}

/**
 * Requires that the payment is approved by now. The PSU's approval can reach auth before this call, for instance if this
 * database is older than auth's. A TPP that was told the authorization is open is then told that it is signed, and auth's
 * page says so to the PSU.
 */
async function requireApproved(
  { store }: StartParts,
  { found: { owned, signId } }: StartInput,
  { url }: SigningReport,
): Promise<StartedSigning> {
  const payment = await store.find(owned);
  if (payment !== undefined && signingStateOf(payment, signId) === "DONE") return { payment, url };
  throw new ContentRefusal([payment === undefined ? PAYMENT_UNKNOWN : SIGNING_OVER]);
}

interface LateRequest {
  readonly asked: SigningReport;
  readonly attached: Exclude<SigningOutcome, { readonly result: "done" }>;
}

/**
 * Cancels a request whose payment was deleted, approved or ended meanwhile, so that nobody finds the order at auth. If a PSU
 * approves it all the same, no payment knows the request, and nothing is executed.
 */
async function giveUp(
  { authority }: StartParts,
  { call }: StartInput,
  { asked, attached }: LateRequest,
): Promise<never> {
  await authority.cancel(asked.requestId, call);
  throw new ContentRefusal([attached.result === "unknown" ? PAYMENT_UNKNOWN : SIGNING_OVER]);
}
