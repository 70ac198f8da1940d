import type { Language, PsuId } from "@cobs/cobs-model";

/**
 * A text for one PSU, as they read it. One that carries a code has the amount and the payee beside it (RTS Article 5(1)(a)); a
 * notice has no secret.
 */
export interface DeliveredText {
  /** A UUID: what comes again under it is the same text, and is not sent again. */
  readonly id: string;
  readonly psu: PsuId;
  readonly language: Language;
  readonly text: string;
  readonly purpose: DeliveryPurpose;
  /** The call that it is sent for, as our log and the PSU's page name it. */
  readonly requestId: string;
  /** When the code in it ends, or a notice is too old: to be sent later is to be sent in vain. */
  readonly expiresAt: Date;
}

/** What a text is for: whoever carries it may choose its way by that. */
export type DeliveryPurpose = "payment_approval" | "notice";

/**
 * The port to whatever carries a text to something that the PSU alone has: the second, independent way (RTS Articles 5(2)
 * and 9). An implementation resolves when the text is on its way, in at most a few seconds; throws `DeliveryFailed` when
 * it cannot send it; keeps it from everybody but the PSU, and writes it into no log.
 */
export type Deliver = (delivered: DeliveredText) => Promise<void>;

/** The text could not be sent at the moment; trying again is right. */
export class DeliveryFailed extends Error {
  override readonly name = "DeliveryFailed";
}
