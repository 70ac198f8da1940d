import type { Language, PsuId } from "@cobs/cobs-model";

/**
 * A text for one PSU, as they read it. A text that carries a code also has the amount and the payee (RTS Article 5(1)(a)); a
 * notice has no secret.
 */
export interface DeliveredText {
  /** A UUID: a second delivery under it is the same text, and is not sent again. */
  readonly id: string;
  readonly psu: PsuId;
  readonly language: Language;
  readonly text: string;
  readonly purpose: DeliveryPurpose;
  /** The call that caused the text, as our log and the PSU's page name it. */
  readonly requestId: string;
  /** When the code in the text ends, or a notice is too old: sending it later is useless. */
  readonly expiresAt: Date;
}

/** What a text is for; a delivery may choose its channel by this. */
export type DeliveryPurpose = "payment_approval" | "notice";

/**
 * The port to whatever carries a text to something that only the PSU has: the second, independent channel (RTS Articles 5(2) and
 * 9). An implementation resolves when the text is on its way, within a few seconds. It throws `DeliveryFailed` when it cannot
 * send the text. It keeps the text from everybody but the PSU, and writes it into no log.
 */
export type Deliver = (delivered: DeliveredText) => Promise<void>;

/** The text could not be sent at the moment; the caller may try again. */
export class DeliveryFailed extends Error {
  override readonly name = "DeliveryFailed";
}
