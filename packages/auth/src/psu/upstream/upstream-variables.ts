import type { Variable } from "@cobs/service-edge";

/** The rows of the bank's own OpenID provider, as a table. */
export const UPSTREAM_VARIABLES: readonly Variable[] = [
  {
    name: "UPSTREAM_ISSUER",
    meaning: "With `PSU_LOGIN=oidc`, and required there: issuer identifier of the bank's OpenID provider",
    optional: true,
  },
  {
    name: "UPSTREAM_CLIENT_ID",
    meaning: "With `PSU_LOGIN=oidc`, and required there: the `client_id` of this server at the provider",
    optional: true,
  },
  {
    name: "UPSTREAM_CLIENT_SECRET_FILE",
    meaning: "File with the client secret of this server at the provider, 16 characters at least",
    optional: true,
  },
  {
    name: "UPSTREAM_CLIENT_KEY_FILE",
    meaning:
      "In place of a secret: file with a private JWK, EC on P-256 or RSA, with which this server signs its assertions (`private_key_jwt`)",
    optional: true,
  },
  {
    name: "UPSTREAM_ACR_VALUES",
    meaning:
      "With `PSU_LOGIN=oidc`, and required there: the values of `acr` that stand for strong authentication, with spaces between them; a sign-in with another one is refused",
    optional: true,
  },
  {
    name: "UPSTREAM_PSU_CLAIM",
    meaning:
      "Claim of the ID token with the bank's id of the PSU, 1 to 64 url-safe characters, the same for ever, by which resource knows the PSU too",
    default: "sub",
  },
  {
    name: "UPSTREAM_NAME_CLAIM",
    meaning: "Claim of the ID token with the name to greet the PSU with; where it is absent, the id is shown",
    default: "name",
  },
  {
    name: "UPSTREAM_SCOPE",
    meaning: "Scope that is asked for at the provider, as its claims need it; has `openid`",
    default: "openid profile",
  },
  {
    name: "UPSTREAM_CA_FILE",
    meaning: "PEM of the only authorities that may certify the provider. Absent: those that Node trusts",
    optional: true,
  },
];
