import type { EntryParts } from "../initiation/enter-payment.ts";
import type { SigningParts } from "../signing/start-signing.ts";

/** Dependencies of the routes of payments. */
export interface PaymentParts {
  readonly entry: EntryParts;
  readonly signing: SigningParts;
}
