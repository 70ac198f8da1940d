import { ContentRefusal, type Fault } from "@cobs/cobs-model";
import type { Clock, Log } from "@cobs/service-edge";
import type { Payment } from "../payments/payment.ts";
import { signingStateOf } from "../payments/payment-statuses.ts";
import type { PaymentStore, SigningOutcome } from "../payments/payment-store.ts";
import { type FoundSigning, PAYMENT_UNKNOWN } from "./require-signing.ts";
import type { OrderRefusal, SigningAuthority, SigningReport, WantedSigning } from "./signing-authority.ts";
import { type ReportParts, takeReport } from "./take-report.ts";

/** What the acts of signing take. */
export interface SigningParts {
  readonly store: PaymentStore;
  readonly authority: SigningAuthority;
  readonly clock: Clock;
  readonly log: Log;
}

/** What starting an authorization takes of them. */
export interface StartParts extends ReportParts {
  readonly store: ReportParts["store"] & Pick<PaymentStore, "attachRequest" | "find">;
  readonly authority: Pick<SigningAuthority, "ask" | "cancel">;
  readonly clock: Clock;
}

/** Which authorization a TPP starts, and where its PSU is to come back to. */
export interface StartInput {
  readonly found: FoundSigning;
  readonly tpp: WantedSigning["tpp"];
  readonly returnUrl: string | undefined;
  readonly requestId: string;
}

/** An authorization that has begun: the browser of the PSU goes to `url`. */
export interface StartedSigning {
  readonly payment: Payment;
  readonly url: string;
}

/** Nothing more becomes of an authorization that is over (COBS 3.2.10). */
export const SIGNING_OVER: Fault = {
  code: "AUTH_LIMIT_EXCEEDED",
  path: "signId",
  message: "this authorization is over",
};

const FAULTS: Readonly<Record<OrderRefusal, Fault>> = {
  return_url_unregistered: {
    code: "FIELD_INVALID",
    path: "redirectUrl",
    message: "redirectUrl is not one that the application has registered, apart from its query",
  },
  application_unknown: {
    code: "FORBIDDEN",
    path: undefined,
    message: "the application may not initiate payments any more",
  },
};

/**
 * Has the PSU asked (COBS 3.2.10); the call again gives the same page, from which the PSU goes back to what the last one
 * named. Where auth has an approval already, that is taken, and the page says so. Refuses with AUTH_LIMIT_EXCEEDED when the authorization is over, FIELD_INVALID for an address that auth does not
 * take, and FORBIDDEN when the application may not initiate payments any more.
 */
export async function startSigning(parts: StartParts, input: StartInput): Promise<StartedSigning> {
  const act = { now: parts.clock.now(), requestId: input.requestId };
  const { payment, signId, state, owned } = input.found;
  // Auth takes no order whose time is over, and may not have said yet how that ended.
  if (state !== "OPEN" || act.now >= payment.expiresAt) throw new ContentRefusal([SIGNING_OVER]);
  const { tpp, returnUrl } = input;
  const asked = await parts.authority.ask({ payment, signId, tpp, returnUrl, onBehalf: input });
  if ("refused" in asked) throw new ContentRefusal([FAULTS[asked.refused]]);
  // Kept before anybody is sent there: what is approved finds its payment.
  const attached = await parts.store.attachRequest(owned, { signId, requestId: asked.requestId }, act);
  if (attached.result === "done") {
    if (asked.state === "waiting") return { payment: attached.payment, url: asked.url };
    await takeReport(parts, { requestId: asked.requestId, report: asked }, act);
  } else if (asked.state !== "approved") return giveUp(parts, input, { asked, attached });
  return requireApproved(parts, input, asked);
}

/**
 * The PSU has approved before this is heard of, as where this database is older than auth's: whoever was told that it is open is
 * told that it is signed, and auth's page says so to the PSU.
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
 * The payment was deleted, approved or ended meanwhile: nobody shall find the order at auth. Whoever finds it all the same
 * approves a request that no payment knows, and nothing is executed.
 */
async function giveUp(
  { authority }: StartParts,
  input: StartInput,
  { asked, attached }: LateRequest,
): Promise<never> {
  await authority.cancel(asked.requestId, input);
  throw new ContentRefusal([attached.result === "unknown" ? PAYMENT_UNKNOWN : SIGNING_OVER]);
}
