import type { Variable } from "@cobs/service-edge";

/** The variables of the bank's own OpenID provider, as a table. */
export const UPSTREAM_VARIABLES: readonly Variable[] = [
  {
    name: "UPSTREAM_ISSUER",
    meaning:
      "Required with `PSU_LOGIN=oidc`: issuer identifier of the bank's OpenID provider, without `/.well-known/…`",
    optional: true,
  },
  {
    name: "UPSTREAM_CLIENT_ID",
    meaning: "Required with `PSU_LOGIN=oidc`: the `client_id` of this server at the provider",
    optional: true,
  },
  {
    name: "UPSTREAM_CLIENT_SECRET_FILE",
    meaning: "File with the client secret of this server at the provider, at least 16 characters",
    optional: true,
  },
  {
    name: "UPSTREAM_CLIENT_KEY_FILE",
    meaning:
      "Instead of a secret: file with a private JWK that signs this server's assertions (`private_key_jwt`, with the issuer as `aud`): P-256 EC with ES256, RSA of at least 2,048 bits with PS256, or with RS256 if its `alg` says so",
    optional: true,
  },
  {
    name: "UPSTREAM_ACR_VALUES",
    meaning:
      "Required with `PSU_LOGIN=oidc`: space-separated `acr` values that mean strong authentication; a sign-in with any other is refused",
    optional: true,
  },
  {
    name: "UPSTREAM_PSU_CLAIM",
    meaning:
      "Claim of the ID token with the bank's id of the PSU, which resource uses too: 1 to 64 unaccented letters, digits, `-` and `_`; it must never change",
    default: "sub",
  },
  {
    name: "UPSTREAM_NAME_CLAIM",
    meaning: "Claim of the ID token with the PSU's name for the pages; if missing, the id is shown",
    default: "name",
  },
  {
    name: "UPSTREAM_SCOPE",
    meaning: "Scope requested from the provider, sufficient for the claims above; must contain `openid`",
    default: "openid profile",
  },
  {
    name: "UPSTREAM_CA_FILE",
    meaning: "PEM of the only CAs that may certify the provider. Absent: those that Node trusts",
    optional: true,
  },
];
