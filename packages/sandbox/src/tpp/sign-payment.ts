import { setTimeout as delay } from "node:timers/promises";
import type { PaymentsApi } from "./payments-api.ts";
import { TppRefusal } from "./tpp-refusal.ts";

/** A payment to approve, and how its PSU gets to the bank and back. */
export interface WantedSigning {
  readonly paymentId: string;
  readonly returnUrl: string;
  /** Sends the PSU to the bank; resolves when they have left its page. */
  readonly send: (url: URL) => Promise<void>;
}

/** An authorization that has ended. */
export interface EndedSigning {
  readonly paymentId: string;
  readonly signId: string;
  readonly state: string;
}

const OUTCOME_LIMIT_MILLISECONDS = 30_000;
const PAUSE_MILLISECONDS = 2_000;

/**
 * Has a payment approved by redirecting its PSU (COBS 3.2.8 to 3.2.11): opens and starts the authorization, sends the PSU, and
 * asks for the outcome, because the return says nothing. Refuses with `refused`, in the server's words, if it ended without an
 * approval (AUTH_LIMIT_EXCEEDED), and with `not_authorized` if nobody has decided.
 */
export async function signPayment(
  payments: PaymentsApi,
  { paymentId, returnUrl, send }: WantedSigning,
): Promise<EndedSigning> {
  const signing = await payments.openSigning(paymentId);
  await send(await payments.startSigning(signing, returnUrl));
  const end = performance.now() + OUTCOME_LIMIT_MILLISECONDS;
  while (performance.now() < end) {
    const { state, pollInterval = PAUSE_MILLISECONDS } = await payments.signingOutcome(signing);
    if (state !== "OPEN") return { ...signing, state };
    await delay(pollInterval);
  }
  throw new TppRefusal("not_authorized", "the PSU has not decided", `npm run tpp -- sign ${paymentId}`);
}
