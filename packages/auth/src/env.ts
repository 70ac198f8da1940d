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
  { name: "BROWSER_PORT", meaning: "Port for the PSU's browser; asks for no certificate", default: "8443" },
  {
    name: "ISSUER",
    meaning: "Issuer identifier and URL of the browser host, without a path",
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
    meaning: "Audience of the access tokens that are issued here; the same in resource",
    default: "https://localhost:9443/cobs/2.0",
    setInProduction: true,
  },
  {
    name: "RESOURCE_BANK_URL",
    meaning: "URL of resource's bank listener, which tells the accounts of a PSU",
    default: "https://localhost:9444",
  },
  {
    name: "SEALING_KEY_FILE",
    meaning:
      "32 random bytes in base64url that encrypt private keys and one-time-code secrets in the database; the same for all processes",
  },
  {
    name: "SIGNING_KEY_LIFETIME_DAYS",
    meaning: "How long one key signs introspection answers, in days, before the next one takes over",
    default: "90",
    bounds: [1, 3_650],
  },
  {
    name: "SIGNING_KEY_ANNOUNCED_SECONDS",
    meaning:
      "How long a new signing key is published before it is used, in seconds: longer than any reader caches the key set",
    default: "300",
    bounds: [10, 43_200],
  },
  {
    name: "COOKIE_KEY_LIFETIME_DAYS",
    meaning: "How long one key signs cookies, in days, before the next one takes over",
    default: "30",
    bounds: [1, 3_650],
  },
  {
    name: "SIGNING_KEYS_FILE",
    meaning:
      "Private JWK set with EC keys on P-256, imported at the first start only: the first key signs, the others are retired. Absent: a key is generated",
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
      "Who signs PSUs in: `sandbox`, the demo directory in this service's database, or `oidc`, the bank's own OpenID provider",
    default: "sandbox",
  },
  ...UPSTREAM_VARIABLES,
  {
    name: "PASSKEY_DOMAIN",
    meaning:
      "Domain of passkeys (WebAuthn RP ID): the host of `ISSUER` or a parent of it. Changing it makes all existing passkeys useless. Absent: the host of `ISSUER`",
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
      "Contact for vulnerability reports in `/.well-known/security.txt`: a `mailto:`, `https:` or `tel:` URI. Absent: there is no such file",
    optional: true,
  },
  {
    name: "ACCESS_TOKEN_LIFETIME_SECONDS",
    meaning: "How long an access token lives, in seconds",
    default: "600",
    // COBS asks for short-lived tokens: at most a quarter of an hour.
    bounds: [30, 900],
  },
  {
    name: "CODE_LIFETIME_SECONDS",
    meaning: "How long an authorization code lives, in seconds; in profile fapi2 never longer than 60",
    default: "60",
    bounds: [10, 600],
  },
  {
    name: "SECURITY_PROFILE",
    meaning:
      "Which security profile applications must have: `any`, `fapi2`, or `fapi2-from=` and a date, at whose start (midnight UTC) fapi2 becomes required",
    default: "any",
  },
  {
    name: "MAX_APPLICATIONS_PER_TPP",
    meaning: "How many applications a TPP may have at a time",
    default: "100",
    bounds: [1, MOST_APPLICATIONS_PER_TPP],
  },
  {
    name: "SECRET_OVERLAP_SECONDS",
    meaning:
      "How long the old secret of an application still works after its renewal, in seconds. `0`: not at all, as the standard says",
    default: "0",
    // A week.
    bounds: [0, 604_800],
  },
  {
    name: "JWKS_URI_ADDRESSES",
    meaning:
      "Where a `jwks_uri` may point to: `public` addresses, `none` (any `jwks_uri` is refused), or, in the sandbox only, `private`, which allows private addresses and loopback too",
    default: "public",
  },
  {
    name: "JWKS_URI_AUTHORITY_FILE",
    meaning:
      "PEM of an authority that may certify the hosts of `jwks_uri`, in addition to those that Node trusts. Absent: only those",
    optional: true,
  },
  {
    name: "CONSENT_LIFETIME_DAYS",
    meaning:
      "How long a consent lives, counted from the strong authentication for it, in days (RTS Article 10a(2)(b))",
    default: "180",
    // RTS Article 10a(2)(b): 180 days from the last strong authentication.
    bounds: [1, 180],
  },
  {
    name: "RECORD_RETENTION_DAYS",
    meaning:
      "How long ended consents, decided signing requests, deleted applications and released blocks are kept, passkeys of PSUs who are blocked, and counts of wrong codes that no right one has ended, in days from then on. A PSU may dispute a payment for 13 months after its debit (PSD2 Article 71), and its approval is from before it: where the bank takes orders for later days, 400 and its `maxDaysAhead` are the least",
    // Five years, including two leap days.
    default: "1827",
    // Longer than the thirteen months in which a PSU may dispute a payment (PSD2 Article 71).
    bounds: [400, 7_305],
  },
  {
    name: "APPLICATION_CHANGES_PER_MINUTE",
    meaning: "How often a TPP may register, change, renew or delete applications in a minute",
    default: "120",
    bounds: PER_MINUTE,
  },
  {
    name: "PUSHED_REQUESTS_PER_MINUTE",
    meaning:
      "How often an application may push an authorization request in a minute; all applications of a TPP together, five times as often",
    default: "600",
    bounds: PER_MINUTE,
  },
  {
    name: "TOKEN_REQUESTS_PER_MINUTE",
    meaning:
      "How many tokens an application may request in a minute, and how many it may revoke; all applications of a TPP together, five times as many",
    default: "3000",
    bounds: PER_MINUTE,
  },
  {
    name: "AUTHORIZATIONS_PER_MINUTE",
    meaning:
      "How many authorizations may begin in a minute, from all browsers together, for an application that does not push its requests",
    default: "6000",
    bounds: PER_MINUTE,
  },
  {
    name: "ADDRESS_REQUESTS_PER_MINUTE",
    meaning:
      "How many authorizations and other sign-ins may begin in a minute from one address (an IPv4 address, or 64 bits of an IPv6 address), and how many attempts to sign in are allowed; each process serves ten times as many pages and forms. Many PSUs may share an address",
    default: "300",
    bounds: PER_MINUTE,
  },
  {
    name: "INTROSPECTIONS_PER_MINUTE",
    meaning:
      "How often a caller of the bank listener may introspect in a minute; look-ups of consents to card issuers have a limit of their own, of the same size",
    default: "60000",
    bounds: PER_MINUTE,
  },
  {
    name: "BROWSER_PROXIES",
    meaning:
      "IP addresses of the proxies in front of the browser listener, separated by commas: for calls that they pass on, the last address in `X-Forwarded-For` counts. Absent: the address of the connection counts, or none where TPPs come through a proxy",
    optional: true,
  },
  {
    name: "SECOND_READER",
    meaning:
      "What happens to a registration when the second, independent reader of certificates disagrees or fails: `refuse`, `warn` (a log line), or `off` (it is not used)",
    default: "refuse",
  },
  {
    name: "SECOND_READER_DEADLINE_MILLISECONDS",
    meaning: "How long the second reader may take for one certificate, in milliseconds",
    default: "2000",
    bounds: [50, 5_000],
  },
  {
    name: "TPP_REGISTER_FILE",
    meaning:
      "JSON file of the EBA's central register, which a job of the operator downloads; once a day, all known TPPs are looked up in it, and a new one soon after its first call. Absent: they are not",
    optional: true,
  },
  {
    name: "TPP_REGISTER_POLICY",
    meaning:
      "What happens to a TPP whose authorisation has ended in the register: `warn` (log and metrics), or `block` (it is on the stop list until the authorisation is back)",
    default: "warn",
  },
  {
    name: "TPP_REGISTER_EXEMPT",
    meaning:
      "Organisation identifiers that are not looked up, separated by commas: the register does not list banks",
    optional: true,
  },
  {
    name: "TPP_REGISTER_MAX_AGE_DAYS",
    meaning: "A register file is ignored when its newest entry is older than this, in days",
    default: "7",
    bounds: [1, 90],
  },
];
