/**
 * A refusal of an authorization request that the PSU sees as a page, because the TPP cannot be answered: the
 * application or its return address is unknown (never redirect there, RFC 6749 4.1.2.1), the journey timed out or began
 * in another browser, the TPP is blocked (`tpp_blocked`), or the server failed. `code` is the OAuth error, for instance
 * `invalid_client`, `invalid_redirect_uri`, `invalid_request` or `server_error`; `status` is that of the page.
 */
export class AuthorizationRefusal extends Error {
  override readonly name = "AuthorizationRefusal";
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, description: string) {
    super(description);
    this.code = code;
    this.status = status;
  }
}

/** Descriptions for the application's developer of errors that the provider leaves undescribed, by error code. */
export const UNSUPPORTED_PARAMETERS: Readonly<Partial<Record<string, string>>> = {
  request_not_supported: "request objects are not supported: send their contents as separate parameters",
  request_uri_not_supported: "request_uri must be one that /oauth/par returned",
};

/** Those descriptions for pushed requests. */
export const UNSUPPORTED_WHEN_PUSHED: typeof UNSUPPORTED_PARAMETERS = {
  ...UNSUPPORTED_PARAMETERS,
  request_uri_not_supported:
    "request_uri cannot be pushed: send the one that /oauth/par returns to /oauth/authorize",
};
