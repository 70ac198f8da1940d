import { edgeVariables, REDIS_VARIABLES, type Variable } from "@cobs/service-edge";
import { MOST_APPLICATIONS_PER_TPP } from "./applications/application-store.ts";
import { UPSTREAM_VARIABLES } from "./psu/upstream/upstream-variables.ts";
import { SIGNING_VARIABLES } from "./signing/signing-settings.ts";
import { THEME_VARIABLES } from "./theme/theme-settings.ts";

const PER_MINUTE = [1, 10_000_000] as const;

/** Every environment variable of the authorization server. */
export const AUTH_VARIABLES: readonly Variable[] = [
  ...edgeVariables({
    mutualTlsPort: "8444",
    bankPort: "8445",
    operatorPort: "8446",
    bankCallers: "resource=introspect,feed,signing",
  }),
  ...REDIS_VARIABLES,
  {
    name: "BROWSER_PORT",
    meaning: "Port for the PSU's browser, without client certificates",
    default: "8443",
  },
  {
    name: "ISSUER",
    meaning:
      "Issuer identifier and URL of the browser host, without a path. Another host invalidates all existing passkeys, unless `PASSKEY_DOMAIN` is set and stays the same",
    default: "https://localhost:8443",
    setInProduction: true,
  },
  {
    name: "MUTUAL_TLS_URL",
    meaning: "URL of the API host, where TPPs register and get tokens",
    default: "https://localhost:8444",
    setInProduction: true,
  },
  {
    name: "BANK_URL",
    meaning: "URL of the bank listener, as resource reaches it",
    default: "https://localhost:8445",
  },
  {
    name: "RESOURCE_SERVER",
    meaning: "Audience of access tokens; same as in resource",
    default: "https://localhost:9443/cobs/2.0",
    setInProduction: true,
  },
  {
    name: "RESOURCE_BANK_URL",
    meaning: "URL of resource's bank listener, which lists a PSU's accounts",
    default: "https://localhost:9444",
  },
  {
    name: "SEALING_KEY_FILE",
    meaning:
      "32 random bytes in base64url that encrypt private keys and one-time-code secrets in the database; the same for all processes",
  },
  {
    name: "SIGNING_KEY_LIFETIME_DAYS",
    meaning: "How long one key signs introspection answers before the next takes over, in days",
    default: "90",
    bounds: [1, 3_650],
  },
  {
    name: "SIGNING_KEY_ANNOUNCED_SECONDS",
    meaning:
      "How long a new signing key is published before use, in seconds: longer than any reader caches the key set",
    default: "300",
    bounds: [10, 43_200],
  },
  {
    name: "COOKIE_KEY_LIFETIME_DAYS",
    meaning: "How long one key signs cookies before the next takes over, in days",
    default: "30",
    bounds: [1, 3_650],
  },
  {
    name: "SIGNING_KEYS_FILE",
    meaning:
      "Private JWK set with P-256 EC keys, imported at the first start only: the first key signs, the others are retired. Absent: a key is generated",
    optional: true,
  },
  {
    name: "COOKIE_KEYS_FILE",
    meaning:
      "JSON array of keys, each at least 32 random bytes in base64url, imported at the first start only. Absent: a key is generated",
    optional: true,
  },
  {
    name: "PSU_LOGIN",
    meaning:
      "What signs PSUs in: `sandbox`, the demo directory in this service's database, or `oidc`, the bank's own OpenID provider",
    default: "sandbox",
  },
  ...UPSTREAM_VARIABLES,
  {
    name: "PASSKEY_DOMAIN",
    meaning:
      "Domain of passkeys (WebAuthn RP ID): the host of `ISSUER` or a parent domain. Changing it invalidates all existing passkeys. Absent: the host of `ISSUER`",
    optional: true,
  },
  ...SIGNING_VARIABLES,
  {
    name: "BANK_NAME",
    meaning: "Name of the bank on the PSU's pages",
    default: "Sandbox Bank",
    setInProduction: true,
  },
  ...THEME_VARIABLES,
  {
    name: "SECURITY_CONTACT",
    meaning:
      "Contact for vulnerability reports in `/.well-known/security.txt`: a `mailto:`, `https:` or `tel:` URI. Absent: no such file",
    optional: true,
  },
  {
    name: "ACCESS_TOKEN_LIFETIME_SECONDS",
    meaning: "Lifetime of an access token, in seconds",
    default: "600",
    // COBS asks for short-lived tokens: at most a quarter of an hour.
    bounds: [30, 900],
  },
  {
    name: "CODE_LIFETIME_SECONDS",
    meaning: "Lifetime of an authorization code, in seconds; at most 60 in profile fapi2",
    default: "60",
    bounds: [10, 600],
  },
  {
    name: "PAYMENTS",
    meaning:
      "`on`, or `off` for a bank without payments and balance checks, as in resource: no application, consent or token gets the scope `pisp`. An application or consent that has it keeps it without effect. PSUs still decide on orders that resource has sent before",
    default: "on",
  },
  {
    name: "SECURITY_PROFILE",
    meaning:
      "Security profile that applications must have: `any`, `fapi2`, or `fapi2-from=` and a date, from whose start (midnight UTC) fapi2 is required",
    default: "any",
  },
  {
    name: "MAX_APPLICATIONS_PER_TPP",
    meaning: "Maximum number of applications a TPP may have at a time",
    default: "100",
    bounds: [1, MOST_APPLICATIONS_PER_TPP],
  },
  {
    name: "SECRET_OVERLAP_SECONDS",
    meaning:
      "How long an application's old secret still works after renewal, in seconds. `0`: not at all, as the standard says",
    default: "0",
    // A week.
    bounds: [0, 604_800],
  },
  {
    name: "JWKS_URI_ADDRESSES",
    meaning:
      "Where a `jwks_uri` may point: `public` addresses, `none` (every `jwks_uri` is refused), or, in the sandbox only, `private`, which also allows private addresses and loopback",
    default: "public",
  },
  {
    name: "JWKS_URI_AUTHORITY_FILE",
    meaning:
      "PEM of an additional CA for the hosts of `jwks_uri`, besides those that Node trusts. Absent: only those",
    optional: true,
  },
  {
    name: "CONSENT_LIFETIME_DAYS",
    meaning: "Lifetime of a consent from its strong authentication, in days (RTS Article 10a(2)(b))",
    default: "180",
    // RTS Article 10a(2)(b): 180 days from the last strong authentication.
    bounds: [1, 180],
  },
  {
    name: "RECORD_RETENTION_DAYS",
    meaning:
      "How long these are kept, in days from the event: ended consents, decided signing requests, deleted applications, released blocks, passkeys of blocked PSUs, and counts of wrong codes not cleared by a right one. A PSU may dispute a payment for 13 months after its debit (PSD2 Article 71), and approved it before that: if the bank takes future-dated orders, set at least 400 plus its `maxDaysAhead`",
    // Five years, including two leap days.
    default: "1827",
    // Longer than the thirteen months in which a PSU may dispute a payment (PSD2 Article 71).
    bounds: [400, 7_305],
  },
  {
    name: "APPLICATION_CHANGES_PER_MINUTE",
    meaning: "How often a TPP may register, change, renew or delete applications per minute",
    default: "120",
    bounds: PER_MINUTE,
  },
  {
    name: "PUSHED_REQUESTS_PER_MINUTE",
    meaning:
      "How many authorization requests an application may push per minute; all applications of a TPP together, five times as many. Above 1,000, only the latter rises: no more of one application may wait, each for a minute unless its PSU consents sooner",
    default: "600",
    bounds: PER_MINUTE,
  },
  {
    name: "TOKEN_REQUESTS_PER_MINUTE",
    meaning:
      "How many tokens an application may request per minute, and how many it may revoke; all applications of a TPP together, five times as many",
    default: "3000",
    bounds: PER_MINUTE,
  },
  {
    name: "AUTHORIZATIONS_PER_MINUTE",
    meaning:
      "How many authorizations may begin per minute, over all browsers, for an application that does not push its requests",
    default: "6000",
    bounds: PER_MINUTE,
  },
  {
    name: "ADDRESS_REQUESTS_PER_MINUTE",
    meaning:
      "How many authorizations and other sign-ins may begin per minute from one address (an IPv4 address, or 64 bits of an IPv6 address), and how many sign-in attempts are allowed; each process serves ten times as many pages and forms. Many PSUs may share an address",
    default: "300",
    bounds: PER_MINUTE,
  },
  {
    name: "INTROSPECTIONS_PER_MINUTE",
    meaning:
      "How often a caller of the bank listener may introspect per minute; look-ups of consents to card issuers have a separate limit of the same size",
    default: "60000",
    bounds: PER_MINUTE,
  },
  {
    name: "BROWSER_PROXIES",
    meaning:
      "Comma-separated IP addresses of the proxies in front of the browser listener: for calls that they pass on, the last address in `X-Forwarded-For` counts. Absent: the connection's address counts, or none if TPPs come through a proxy",
    optional: true,
  },
  {
    name: "SECOND_READER",
    meaning:
      "What happens to a registration when the second, independent certificate reader disagrees or fails: `refuse`, `warn` (a log line), or `off` (reader not used)",
    default: "refuse",
  },
  {
    name: "SECOND_READER_DEADLINE_MILLISECONDS",
    meaning: "Time limit of the second reader for one certificate, in milliseconds",
    default: "2000",
    bounds: [50, 5_000],
  },
  {
    name: "TPP_REGISTER_FILE",
    meaning:
      "JSON file of the EBA's central register, downloaded by a job of the operator; all known TPPs are looked up in it once a day, and a new one soon after its first call. Absent: no look-ups",
    optional: true,
  },
  {
    name: "TPP_REGISTER_POLICY",
    meaning:
      "What happens to a TPP whose authorisation has ended in the register: `warn` (log and metrics), or `block` (on the stop list until the authorisation is back)",
    default: "warn",
  },
  {
    name: "TPP_REGISTER_EXEMPT",
    meaning:
      "Comma-separated organisation identifiers that are not looked up, such as those of banks, which the register does not list",
    optional: true,
  },
  {
    name: "TPP_REGISTER_MAX_AGE_DAYS",
    meaning: "Maximum age of a register file's newest entry, in days; an older file is ignored",
    default: "7",
    bounds: [1, 90],
  },
];
