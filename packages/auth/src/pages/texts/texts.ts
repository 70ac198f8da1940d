import type { Language } from "@cobs/cobs-model";
import type { SignInPurpose } from "../../sign-in/sign-in-purpose.ts";
import type { ConsentsMessageKey, ConsentsPhraseKey } from "./consents-texts.ts";
import type { SigningMessageKey, SigningPhraseKey } from "./signing-texts.ts";

/** A text that says where the browser goes; an application on a device has no host to name. */
export type BackKey = "cancel_to" | "return_to" | "next_return";

/** A short text of a page. */
export type PhraseKey =
  | ConsentsPhraseKey
  | SigningPhraseKey
  | "docs_title"
  | "docs_lead"
  | "docs_document"
  | "error_prefix"
  | "skip_link"
  | "languages"
  | "contact"
  | "privacy_link"
  | "address_hint"
  | "step_of"
  | BackKey
  | `${BackKey}_application`
  | "try_again"
  | "request_id"
  | "reason"
  | "sign_in_title"
  | `sign_in_lead_${SignInPurpose["kind"]}`
  | "sign_in_ended"
  | "asking"
  | "username"
  | "password"
  | "one_time_code"
  | "one_time_code_hint"
  | "sign_in"
  | "sign_out"
  | "passkey"
  | "passkey_hint"
  | "passkey_sign_in"
  | "passkey_for_code"
  | "passkey_failed"
  | "passkey_here"
  | "passkeys"
  | "passkeys_lead"
  | "passkeys_full"
  | "passkeys_unavailable"
  | "passkey_unnamed"
  | "passkey_added"
  | "passkey_used"
  | "passkey_unused"
  | "passkey_name"
  | "passkey_name_hint"
  | "passkey_add"
  | "passkey_remove"
  | "notice_passkey_added"
  | "notice_passkey_removed"
  | "notice_authenticator_enrolled"
  | "notice_name"
  | "done_passkey_added"
  | "done_passkey_removed"
  | "fault_passkey_not_added"
  | "fault_passkey_known"
  | "fault_passkey_last"
  | "authenticator_title"
  | "authenticator_app"
  | "authenticator_lead"
  | "authenticator_replace_hint"
  | "authenticator_replace"
  | "authenticator_keep"
  | "enrolment_title"
  | "enrolment_lead"
  | "enrolment_scan"
  | "enrolment_picture"
  | "enrolment_here"
  | "enrolment_type"
  | "enrolment_code"
  | "enrolment_code_hint"
  | "enrolment_confirm"
  | "consent_title_aisp"
  | "consent_title_pisp"
  | "consent_title_both"
  | "consent_lead_aisp"
  | "consent_lead_pisp"
  | "consent_lead_both"
  | "consent_lead_aisp_single"
  | "consent_lead_both_single"
  | "signed_in_as"
  | "company"
  | "company_proof"
  | "authority"
  | "registration"
  | "application"
  | "application_claim"
  | "quote_open"
  | "quote_close"
  | "what"
  | "aisp_title"
  | "aisp_sees"
  | "aisp_transactions"
  | "aisp_sees_single"
  | "aisp_transactions_single"
  | "aisp_repeatedly"
  | "aisp_only_not"
  | "pisp_title"
  | "pisp_sends"
  | "pisp_sends_shared"
  | "pisp_checks"
  | "pisp_checks_shared"
  | "pisp_each"
  | "pisp_only_not"
  | "secrets_not"
  | "until"
  | "until_date"
  | "until_days"
  | "accounts"
  | "accounts_for_both"
  | "accounts_single"
  | "choice"
  | "choice_all"
  | "choice_all_hint"
  | "choice_some"
  | "account_list"
  | "account_group"
  | "account_number"
  | "iban"
  | "next"
  | "next_withdraw"
  | "decide_by"
  | "agree"
  | "refuse"
  | "fault_summary"
  | "fault_sign_in_refused"
  | "fault_passkey_refused"
  | "fault_username_missing"
  | "fault_password_missing"
  | "fault_code_missing"
  | "fault_code_wrong"
  | "fault_choice_missing"
  | "fault_account_missing"
  | "fault_choice_ambiguous"
  | "fault_account_unknown"
  | "fault_changed";

/** A page that only says something: why the PSU cannot go on, and what to do. */
export type MessageKey =
  | ConsentsMessageKey
  | SigningMessageKey
  | "interaction_unknown"
  | "cookies_missing"
  | "session_idle"
  | "accounts_unavailable"
  | "accounts_none"
  | "sign_in_blocked"
  | "passkey_blocked"
  | "sign_in_refused"
  | "signed_out"
  | "authenticator_enrolled"
  | "busy"
  | "rate_limited"
  | "form_untrusted"
  | "form_malformed"
  | "request_unacceptable"
  | "tpp_blocked"
  | "not_found"
  | "request_refused"
  | "unavailable"
  | "failed";

/** What a message page says; `advice` is a list of things to do, the most useful first. */
export interface MessageText {
  readonly title: string;
  readonly lead: string;
  readonly advice: readonly string[];
}

/** All texts of one language. A key that is missing does not compile. */
export interface Texts {
  readonly phrases: Readonly<Record<PhraseKey, string>>;
  readonly messages: Readonly<Record<MessageKey, MessageText>>;
  /** Competent authorities by their nCAId, where a certificate names them in another language (ETSI TS 119 495 5.2.3). */
  readonly authorities: ReadonlyMap<string, string>;
  /** Each language in its own words, for the switch. */
  readonly names: Readonly<Record<Language, string>>;
  /** The BCP 47 tag by which dates and numbers are written. */
  readonly locale: string;
}

/** Values for the `{…}` of a text. */
export type Fillings = Readonly<Record<string, string | number>>;

/** Fills in the `{…}` of a text once; what is filled in is not searched again. */
export function fillText(text: string, fillings: Fillings): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fillings[name];
    if (value === undefined) throw new TypeError(`the text needs ${name}`);
    return String(value);
  });
}
