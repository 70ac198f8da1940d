import type { TokenEndpointAuthMethod } from "./application.ts";

/** Rules of OAuth that an application follows: those of COBS 2.0, or of the FAPI 2.0 Security Profile. */
export type SecurityProfile = "cobs" | "fapi2";

const PROFILE_OF: Readonly<Record<TokenEndpointAuthMethod, SecurityProfile>> = {
  client_secret_post: "cobs",
  client_secret_basic: "cobs",
  private_key_jwt: "fapi2",
  tls_client_auth: "fapi2",
};

/**
 * Returns the profile of an application, which follows only from how it authenticates: with a key or its certificate it is
 * `fapi2` (FAPI 2.0 5.3.2.1); with a secret, or if it does not say, `cobs`.
 */
export function securityProfileOf(application: {
  readonly tokenEndpointAuthMethod: TokenEndpointAuthMethod | null;
}): SecurityProfile {
  const { tokenEndpointAuthMethod: method } = application;
  return method === null ? "cobs" : PROFILE_OF[method];
}
