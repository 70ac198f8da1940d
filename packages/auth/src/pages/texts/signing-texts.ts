import type { MessageText } from "./texts.ts";

/** The short texts of the pages on which a payment is approved. */
export type SigningPhraseKey =
  | "order_title"
  | "order_lead"
  | "order_heading"
  | "order_amount"
  | "order_creditorName"
  | "order_creditorAddress"
  | "order_creditorIban"
  | "order_creditorNumber"
  | "order_creditorBic"
  | "order_creditorBank"
  | "order_ultimateCreditor"
  | "order_debtorIban"
  | "order_ultimateDebtor"
  | "order_executionDate"
  | "order_soon"
  | "order_priority"
  | "order_priority_NORM"
  | "order_priority_HIGH"
  | "order_priority_INST"
  | "order_message"
  | "order_variableSymbol"
  | "order_constantSymbol"
  | "order_specificSymbol"
  | "order_endToEndIdentification"
  | "order_purpose"
  | "order_chargeBearer"
  | "order_chargeBearer_DEBT"
  | "order_chargeBearer_CRED"
  | "order_chargeBearer_SHAR"
  | "order_chargeBearer_SLEV"
  | "order_fee"
  | "order_instructionIdentification"
  | "order_paymentId"
  | "order_wait_until"
  | "bound_code_heading"
  | "bound_code"
  | "bound_code_hint"
  | "bound_code_text"
  | "bound_code_text_account"
  | "approve_payment"
  | "refuse_payment"
  | "new_code"
  | "sign_in_as_other"
  | "decided_at"
  | "inbox_link"
  | "inbox_title"
  | "inbox_lead"
  | "inbox_empty"
  | "passkey_order_heading"
  | "passkey_order_hint"
  | "passkey_approve"
  | "fault_passkey_wrong"
  | "fault_bound_code_missing"
  | "fault_bound_code_wrong"
  | "fault_code_undelivered"
  | "fault_codes_used_up";

/** What became of an order, or why it cannot be decided here. */
export type SigningMessageKey =
  | "signing_approved"
  | "signing_declined"
  | "signing_tries_exhausted"
  | "signing_cancelled"
  | "signing_expired"
  | "signing_unknown"
  | "signing_withdrawn"
  | "signing_other_psu"
  | "signing_codes_used_up";

/** The texts of signing in one language. */
export interface SigningTexts {
  readonly phrases: Readonly<Record<SigningPhraseKey, string>>;
  readonly messages: Readonly<Record<SigningMessageKey, MessageText>>;
}
