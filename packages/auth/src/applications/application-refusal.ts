/** Reasons for refusing a TPP's act on applications, each with the sentence that the TPP may read. */
export const applicationRefusals = {
  /** The id is unknown or belongs to another TPP; the answer does not distinguish (COBS PDF 1.4.1.2, invalid client_id). */
  application_unknown: "this TPP has no application with this id",
  /** The certificate lacks the role for a requested scope (COBS PDF 1.4.1.1, INSUFFICIENT_SCOPE). */
  role_missing: "the roles in the certificate do not cover the scopes (aisp needs PSP_AI, pisp needs PSP_PI)",
  /** The certificate's roles cover no scope; balance checks need no application. */
  no_scope_possible:
    "the roles in the certificate cover no scope: to register an application, PSP_AI or PSP_PI is needed",
  /** The bank offers no payments, so that nothing could be done with the scope. */
  scope_not_offered: "this bank offers no payments, so no application can have the scope pisp here",
  /** The TPP already has the most applications allowed. */
  too_many_applications: "this TPP has reached the maximum number of applications: delete one first",
  /** `PUT` without an id in the path needs one in the body. */
  client_id_missing: "client_id is missing",
  /** The path and the body name different applications. */
  client_id_contradictory: "client_id differs from the id in the path",
  /** `client_id` is not a string. */
  client_id_malformed: "client_id must be a string",
  /** An application moves up to profile fapi2 and never down: a stolen certificate must not bring a secret back. */
  profile_downgrade:
    "an application of profile fapi2 cannot return to a secret: register another application",
  /** The bank accepts only applications of profile fapi2 now. */
  profile_required:
    "this bank requires profile fapi2: token_endpoint_auth_method must be private_key_jwt or tls_client_auth",
  /** The application was changed after the caller read it (RFC 9110 13.1.1), or created before the call (13.1.2). */
  version_outdated:
    "the application's ETag is not what If-Match or If-None-Match requires: read the application again",
  /** The precondition cannot be parsed, so the state that the caller means is unknown (RFC 9110 13.1.1). */
  precondition_malformed: "If-Match and If-None-Match must be * or a list of entity tags in quotation marks",
  /** The bank does not fetch keys from TPPs. */
  jwks_uri_unsupported: "this bank does not fetch keys from jwks_uri: send jwks",
  /** The application has no secret to renew. */
  secret_unused: "an application of profile fapi2 has no secret to renew",
} as const;

/** A key of {@link applicationRefusals}. */
export type ApplicationRefusalCode = keyof typeof applicationRefusals;

/** A refusal of a TPP's act on applications. */
export class ApplicationRefusal extends Error {
  override readonly name = "ApplicationRefusal";
  readonly code: ApplicationRefusalCode;

  constructor(code: ApplicationRefusalCode) {
    super(applicationRefusals[code]);
    this.code = code;
  }
}
