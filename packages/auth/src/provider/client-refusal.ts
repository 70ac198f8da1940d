import type { CertificateRefusalCode } from "@cobs/psd2-certificates";
import type { TppRefusalCode } from "../tpp/tpp-refusal.ts";

/**
 * Why the caller of the token, pushed request or revocation endpoint is not believed to be the client (RFC 6749
 * 5.2, invalid_client):
 * - `client_not_owned`: unknown, or registered by another TPP than the certificate's; not told apart
 * - `authorization_unreadable`: the header `Authorization` is not Basic with an id and a secret
 * - `secret_empty`: it came in Basic, with no secret behind its name
 * - `profile_required`: of profile cobs, while the bank requires fapi2 (RFC 6749 5.2, unauthorized_client)
 * - `certificate_required`: the request came to the browser host, which asks for no certificate
 * - else the certificate was refused, or its TPP is blocked, for the reason that the code says
 */
export type ClientRefusalCode =
  | "client_not_owned"
  | "authorization_unreadable"
  | "secret_empty"
  | "profile_required"
  | "certificate_required"
  | CertificateRefusalCode
  | TppRefusalCode;

/** To whoever is not believed, whatever the reason: unknown, foreign and wrong look the same (RFC 6749 10.10). */
export const NOT_BELIEVED =
  "client authentication failed: client_id names no application of this certificate's TPP," +
  " or its secret or assertion is not right, or it is registered to authenticate in another way";

/** The `WWW-Authenticate` of every refused client that came with `Authorization` (RFC 6749 5.2), whoever refuses it. */
export const BASIC_CHALLENGE = 'Basic realm="token"';

/** An expected no at the step before the provider; `message` is for the caller, `detail` for the log alone. */
export class ClientRefusal extends Error {
  override readonly name = "ClientRefusal";
  readonly code: ClientRefusalCode;
  readonly detail: string | undefined;
  /** The `WWW-Authenticate` that a caller gets who tried it with that header (RFC 6749 5.2). */
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
