import type { CertificateRefusalCode } from "@cobs/psd2-certificates";
import type { TppRefusalCode } from "../tpp/tpp-refusal.ts";

/**
 * Why the caller of the token, pushed request or revocation endpoint is not accepted as the client (RFC 6749 5.2,
 * invalid_client):
 * - `client_not_owned`: unknown, or registered by another TPP than the certificate's; not distinguished
 * - `authorization_unreadable`: the header `Authorization` is not Basic with an id and a secret
 * - `secret_empty`: Basic came with an empty secret
 * - `assertion_ambiguous`: readers of the assertion could differ about what it says
 * - `profile_required`: of profile cobs, while the bank requires fapi2 (RFC 6749 5.2, unauthorized_client)
 * - `certificate_required`: the request came to the browser host, which asks for no certificate
 * - otherwise the certificate was refused or its TPP is blocked, as the code says
 */
export type ClientRefusalCode =
  | "client_not_owned"
  | "authorization_unreadable"
  | "secret_empty"
  | "assertion_ambiguous"
  | "profile_required"
  | "certificate_required"
  | CertificateRefusalCode
  | TppRefusalCode;

/**
 * The text for every client that fails authentication: unknown, another TPP's and wrong secret look the same
 * (RFC 6749 10.10).
 */
export const NOT_BELIEVED =
  "client authentication failed: client_id is not an application of the TPP in the certificate," +
  " its secret or assertion is wrong, or it is registered with another authentication method";

/** The `WWW-Authenticate` for every refused client that sent `Authorization` (RFC 6749 5.2), wherever it is refused. */
export const BASIC_CHALLENGE = 'Basic realm="token"';

/** A refusal at the step before the provider; `message` is for the caller, `detail` only for the log. */
export class ClientRefusal extends Error {
  override readonly name = "ClientRefusal";
  readonly code: ClientRefusalCode;
  readonly detail: string | undefined;
  /** The `WWW-Authenticate` for a caller that sent `Authorization` (RFC 6749 5.2). */
  readonly challenge: string | undefined;

  constructor(
    code: ClientRefusalCode,
    message: string,
    more: { readonly detail?: string; readonly challenge?: string | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.detail = more.detail;
    this.challenge = more.challenge;
  }
}
