import { edgeVariables, REDIS_VARIABLES, type Variable } from "@cobs/service-edge";
import { UPSTREAM_VARIABLES } from "./psu/upstream/upstream-variables.ts";
import { SIGNING_VARIABLES } from "./signing/signing-settings.ts";
import { THEME_VARIABLES } from "./theme/theme-settings.ts";

/** Every environment variable of the authorization server. */
export const AUTH_VARIABLES: readonly Variable[] = [
  ...edgeVariables({
    mutualTlsPort: "8444",
    bankPort: "8445",
    operatorPort: "8446",
    bankCallers: "resource=introspect,feed,signing",
  }),
  ...REDIS_VARIABLES,
  { name: "BROWSER_PORT", meaning: "Port for the PSU's browser; asks for no certificate", default: "8443" },
  {
    name: "ISSUER",
    meaning: "Issuer identifier and URL of the browser host, without a path",
    default: "https://localhost:8443",
  },
  {
    name: "MUTUAL_TLS_URL",
    meaning: "URL of the API host, where TPPs register and get tokens",
    default: "https://localhost:8444",
  },
  {
    name: "BANK_URL",
    meaning: "URL of the bank listener, as resource reaches it",
    default: "https://localhost:8445",
  },
  {
    name: "RESOURCE_SERVER",
    meaning: "Audience of the access tokens that are issued here; the same in resource",
    default: "https://localhost:9443/cobs/2.0",
  },
  {
    name: "RESOURCE_BANK_URL",
    meaning: "URL of resource's bank listener, where the accounts of a PSU are asked for",
    default: "https://localhost:9444",
  },
  {
    name: "SEALING_KEY_FILE",
    meaning:
      "32 random bytes in base64url, with which private keys and one-time-code secrets are sealed in the database; the same for all processes",
  },
  {
    name: "SIGNING_KEY_LIFETIME_DAYS",
    meaning: "How long answers to introspection are signed with one key, in days; then the next one signs",
    default: "90",
  },
  {
    name: "SIGNING_KEY_ANNOUNCED_SECONDS",
    meaning:
      "How long a new signing key is published before it signs, in seconds: longer than anybody keeps the key set",
    default: "300",
  },
  {
    name: "COOKIE_KEY_LIFETIME_DAYS",
    meaning: "How long cookies are signed with one key, in days; then the next one signs",
    default: "30",
  },
  {
    name: "SIGNING_KEYS_FILE",
    meaning:
      "Private JWK set with EC keys on P-256, taken over at the first start alone: the first signs, the others are retired. Absent: a key is made",
    optional: true,
  },
  {
    name: "COOKIE_KEYS_FILE",
    meaning:
      "JSON array of texts of at least 32 random bytes in base64url, taken over in the same way. Absent: a key is made",
    optional: true,
  },
  {
    name: "PSU_LOGIN",
    meaning:
      "Who signs PSUs in: `sandbox`, the demo directory in this service's database, or `oidc`, the bank's own OpenID provider",
    default: "sandbox",
  },
  ...UPSTREAM_VARIABLES,
  {
    name: "PASSKEY_DOMAIN",
    meaning:
      "Domain that passkeys are good for (WebAuthn RP ID): the host of `ISSUER` or a parent of it. Whoever changes it makes all passkeys useless. Absent: the host of `ISSUER`",
    optional: true,
  },
  ...SIGNING_VARIABLES,
  { name: "BANK_NAME", meaning: "Name of the bank on the PSU's pages", default: "Sandbox Bank" },
  ...THEME_VARIABLES,
  {
    name: "SECURITY_CONTACT",
    meaning:
      "Where `/.well-known/security.txt` sends those who have found a vulnerability: a `mailto:`, `https:` or `tel:` URI. Absent: there is no such file",
    optional: true,
  },
  {
    name: "ACCESS_TOKEN_LIFETIME_SECONDS",
    meaning: "How long an access token lives, in seconds",
    default: "600",
  },
  {
    name: "CODE_LIFETIME_SECONDS",
    meaning: "How long an authorization code lives, in seconds; in profile fapi2 never longer than 60",
    default: "60",
  },
  {
    name: "SECURITY_PROFILE",
    meaning:
      "Which security profile applications must have: `any`, `fapi2`, or `fapi2-from=` and a date, from whose midnight (UTC) on fapi2 is required",
    default: "any",
  },
  {
    name: "MAX_APPLICATIONS_PER_TPP",
    meaning: "How many applications a TPP may have at a time, 1,000 at most",
    default: "100",
  },
  {
    name: "SECRET_OVERLAP_SECONDS",
    meaning:
      "How long the secret of an application works beside the one that takes its place, in seconds, a week at most. `0`: it ends at once, as the standard has it",
    default: "0",
  },
  {
    name: "JWKS_URI_ADDRESSES",
    meaning:
      "Where applications may publish the keys of their assertions: `public` addresses, `none` (a `jwks_uri` is refused), or, in the sandbox alone, `private` ones and loopback too",
    default: "public",
  },
  {
    name: "JWKS_URI_AUTHORITY_FILE",
    meaning:
      "PEM of an authority that may certify the hosts of `jwks_uri` beside those that Node trusts. Absent: those alone",
    optional: true,
  },
  {
    name: "CONSENT_LIFETIME_DAYS",
    meaning: "How long a consent lives from the strong authentication for it, in days",
    default: "180",
  },
  {
    name: "RECORD_RETENTION_DAYS",
    meaning:
      "How long ended consents, decided signing requests, deleted applications and released blocks are kept, in days",
    default: "1826",
  },
  {
    name: "APPLICATION_CHANGES_PER_MINUTE",
    meaning: "How often a TPP may register, change, renew or delete applications in a minute",
    default: "120",
  },
  {
    name: "PUSHED_REQUESTS_PER_MINUTE",
    meaning:
      "How often an application may push an authorization request in a minute; its TPP five times as often",
    default: "600",
  },
  {
    name: "TOKEN_REQUESTS_PER_MINUTE",
    meaning:
      "How often an application may ask for tokens in a minute, and revoke as many; its TPP five times as often",
    default: "3000",
  },
  {
    name: "AUTHORIZATIONS_PER_MINUTE",
    meaning:
      "How many authorizations may begin in a minute for an application that does not push its requests, by whatever browsers",
    default: "6000",
  },
  {
    name: "ADDRESS_REQUESTS_PER_MINUTE",
    meaning:
      "How many authorizations, and sign-ins at pages of the PSU's own, may begin in a minute from one address (an IPv4 address, 64 bits of an IPv6 address), and how many sign-ins be tried; in each process ten times as many pages and forms; many PSUs may share one",
    default: "300",
  },
  {
    name: "INTROSPECTIONS_PER_MINUTE",
    meaning:
      "How often a caller of the bank listener may introspect in a minute; look-ups of consents to card issuers are counted apart, and as many",
    default: "60000",
  },
  {
    name: "BROWSER_PROXIES",
    meaning:
      "IP addresses of the proxies before the browser listener, with commas between them: of their calls the last address of `X-Forwarded-For` counts. Absent: that of the connection, or none where TPPs come through a proxy",
    optional: true,
  },
  {
    name: "SECOND_READER",
    meaning:
      "What happens to a registration when the second, independent reader of certificates disagrees or fails: `refuse`, `warn` (a line in the log), or `off` (it is not asked)",
    default: "refuse",
  },
  {
    name: "SECOND_READER_DEADLINE_MILLISECONDS",
    meaning: "How long the second reader may take for one certificate, in milliseconds",
    default: "2000",
  },
  {
    name: "TPP_REGISTER_FILE",
    meaning:
      "Path of the JSON file of the EBA's central register, which a job of the operator fetches; once a day all known TPPs are looked up in it. Absent: they are not",
    optional: true,
  },
  {
    name: "TPP_REGISTER_POLICY",
    meaning:
      "What an authorisation that has ended in the register means: `warn` (log and metrics), or `block` (the TPP is on the stop list until it is there again)",
    default: "warn",
  },
  {
    name: "TPP_REGISTER_EXEMPT",
    meaning:
      "Organisation identifiers that are not looked up, with commas between them: the register has no banks",
    optional: true,
  },
  {
    name: "TPP_REGISTER_MAX_AGE_DAYS",
    meaning: "A register file whose newest entry is older is not used, in days",
    default: "7",
  },
];
