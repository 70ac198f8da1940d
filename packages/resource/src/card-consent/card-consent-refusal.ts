import { AuthAnswerRefusal } from "../auth-answers/auth-answer-refusal.ts";

/**
 * Why an answer of auth about consents to card issuers is not believed:
 * - `card_consents_status`: another status than agreed
 * - `card_consents_malformed`: not fully readable; an unreadable answer never counts as no consent
 */
export type CardConsentRefusalCode = "card_consents_status" | "card_consents_malformed";

/** Refuses an answer of auth about consents to card issuers that cannot be believed; `detail` is for the log. */
export class CardConsentRefusal extends AuthAnswerRefusal<CardConsentRefusalCode> {
  override readonly name = "CardConsentRefusal";
}
