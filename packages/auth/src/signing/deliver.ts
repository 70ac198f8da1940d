import type { Language, PsuId } from "@cobs/cobs-model";

/** A text for one PSU, as they read it: it has the amount, the payee and the code (RTS Article 5(1)(a)). */
export interface DeliveredText {
  readonly psu: PsuId;
  readonly language: Language;
  readonly text: string;
}

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
