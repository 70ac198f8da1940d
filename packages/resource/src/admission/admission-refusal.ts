import type { CertificateRefusalCode } from "@cobs/psd2-certificates";
import type { UnusableTokenCode } from "../introspection/token-introspection.ts";
import type { Continuation } from "../limits/limit-refusal.ts";

/** The codes of the stop list, which concern the certificate and its TPP. */
export const BLOCK_CODES = ["tpp_blocked", "certificate_blocked"] as const;

/** The codes of admission that come after the certificate, apart from those of the token's state. */
export const CALL_CODES = [
  "role_missing",
  "token_absent",
  "token_malformed",
  "token_in_query",
  "token_repeated",
  "too_many_unusable_tokens",
  "too_many_new_tokens",
  "token_bound_to_other_certificate",
  "token_of_other_tpp",
  "scope_missing",
  "consent_ended",
] as const;

/**
 * Why a call is not admitted. The codes of the certificate and of the token's state are listed where they are defined; here:
 * - `tpp_blocked`: the bank has put the TPP on its stop list
 * - `certificate_blocked`: the bank has put this one certificate on its stop list
 * - `role_missing`: the certificate does not hold the role of the resource (PSD2 Articles 65 to 67, COBS 1.3.1)
 * - `token_absent`: no token was sent (RFC 6750 section 3)
 * - `token_malformed`: `Authorization` is not `Bearer` and one token of at most 1,017 bytes (RFC 6750 section 2.1, A-31)
 * - `token_in_query`: the token was sent as `access_token` in the query, where logs keep it (FAPI 2.0 5.3.4)
 * - `token_repeated`: the token was sent more than once (RFC 6750 section 2)
 * - `too_many_unusable_tokens`: the TPP sent so many that auth is not asked about another one for now (RFC 6585 section 4)
 * - `too_many_new_tokens`: the TPP sent so many, valid or not, that auth is not asked about another one for now (RFC 6585
 *   section 4)
 * - `token_bound_to_other_certificate`: bound to another certificate than that of this connection (RFC 8705 section 3)
 * - `token_of_other_tpp`: issued to another organisation identifier than the certificate's
 * - `scope_missing`: the token's scopes do not cover the resource (RFC 6750 section 3.1 `insufficient_scope`)
 * - `consent_ended`: the consent behind the token no longer covers the service
 */
export type AdmissionRefusalCode =
  | CertificateRefusalCode
  | UnusableTokenCode
  | (typeof BLOCK_CODES)[number]
  | (typeof CALL_CODES)[number];

/** What was known about a call when it was refused; undefined members were not proven yet. */
export interface RefusedCall {
  /** Thumbprint of the presented certificate, good or not. */
  readonly thumbprint: string | undefined;
  /** Thumbprint of the other form of the verified certificate, if it has one. */
  readonly twinThumbprint: string | undefined;
  /** Organisation identifier in the verified certificate. */
  readonly organisationIdentifier: string | undefined;
  readonly role: string;
  readonly scope: string | undefined;
  readonly tokenWasSent: boolean;
  /** When the call may be repeated, if only time stands in its way. */
  readonly continues: Continuation | undefined;
}

/** Refuses a call: `code` is for programs, `detail` for the bank's log alone. */
export class AdmissionRefusal extends Error {
  readonly code: AdmissionRefusalCode;
  readonly detail: string;
  readonly call: RefusedCall;

  constructor(code: AdmissionRefusalCode, detail: string, call: RefusedCall) {
    super(code);
    this.name = "AdmissionRefusal";
    this.code = code;
    this.detail = detail;
    this.call = call;
  }
}
