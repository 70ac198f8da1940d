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
      "Instead of a secret: file with a private JWK that signs this server's assertions (`private_key_jwt`), whose `aud` is the issuer: EC on P-256 with ES256, RSA of 2,048 bits or more with PS256, or with RS256 where its `alg` says so",
    optional: true,
  },
  {
    name: "UPSTREAM_ACR_VALUES",
    meaning:
      "Required with `PSU_LOGIN=oidc`: the values of `acr` that mean strong authentication, separated by spaces; a sign-in with any other is refused",
    optional: true,
  },
  {
    name: "UPSTREAM_PSU_CLAIM",
    meaning:
      "Claim of the ID token with the bank's id of the PSU, which resource uses too: 1 to 64 letters without accents, digits, `-` and `_`, and never changing",
    default: "sub",
  },
  {
    name: "UPSTREAM_NAME_CLAIM",
    meaning: "Claim of the ID token with the PSU's name for the pages; where it is absent, the id is shown",
    default: "name",
  },
  {
    name: "UPSTREAM_SCOPE",
    meaning: "Scope requested from the provider, as the claims above need it; must contain `openid`",
    default: "openid profile",
  },
  {
    name: "UPSTREAM_CA_FILE",
    meaning:
      "PEM of the authorities that may certify the provider, and no others. Absent: those that Node trusts",
    optional: true,
  },
];
