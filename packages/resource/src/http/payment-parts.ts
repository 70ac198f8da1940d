import type { EntryParts } from "../initiation/enter-payment.ts";
import type { SigningParts } from "../signing/start-signing.ts";

/** What the routes of payments are made of. */
export interface PaymentParts {
  readonly entry: EntryParts;
  readonly signing: SigningParts;
}
