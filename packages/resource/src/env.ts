import { edgeVariables, type Variable } from "@cobs/service-edge";
import { CORE_TIMEOUT_BOUNDS } from "./bank/http-connector/core-settings.ts";
import { MAX_ACCESSES } from "./unattended/access-limits.ts";

/** Every environment variable of the resource server. */
export const RESOURCE_VARIABLES: readonly Variable[] = [
  ...edgeVariables({
    mutualTlsPort: "9443",
    bankPort: "9444",
    operatorPort: "9446",
    bankCallers: "auth=accounts",
  }),
  {
    name: "BASE_URL",
    meaning: "Public URL where TPPs reach `/cobs/2.0`, without a path; other Host headers are refused",
    default: "https://localhost:9443",
    setInProduction: true,
  },
  {
    name: "BANK_URL",
    meaning: "URL of the bank listener, as auth reaches it",
    default: "https://localhost:9444",
  },
  {
    name: "RESOURCE_SERVER",
    meaning: "Audience of accepted access tokens; same as in auth",
    default: "https://localhost:9443/cobs/2.0",
    setInProduction: true,
  },
  {
    name: "ISSUER",
    meaning: "Issuer identifier of auth, which signs introspection answers; same as in auth",
    default: "https://localhost:8443",
    setInProduction: true,
  },
  {
    name: "AUTH_MUTUAL_TLS_URL",
    meaning: "URL of auth's API host, as published in `openapi.json`",
    default: "https://localhost:8444",
    setInProduction: true,
  },
  {
    name: "AUTH_BANK_URL",
    meaning: "URL of auth's bank listener",
    default: "https://localhost:8445",
  },
  {
    name: "BANK",
    meaning:
      "Core system behind the API: `sandbox`, the demo bank in this service's database, or `http`, a core system behind the HTTP connector",
    default: "sandbox",
  },
  {
    name: "SANDBOX_SETTLEMENT_SECONDS",
    meaning:
      "With `BANK=sandbox`: seconds from acceptance to booking of a same-day payment; an instant payment is booked at once",
    default: "2",
    bounds: [0, 86_400],
  },
  {
    name: "CORE_URL",
    meaning:
      "With `BANK=http`: https base URL of the core system, called with the certificate of `BANK_CLIENT_CERTIFICATE_FILE`",
    optional: true,
  },
  {
    name: "CORE_AUTHORITY_FILE",
    meaning: "With `BANK=http`: PEM of the CA that certifies the core system",
    optional: true,
  },
  {
    name: "CORE_TIMEOUT_MILLISECONDS",
    meaning:
      "Total time limit of a question to the core system, including waiting and a second attempt, in milliseconds; then the answer is 503. Auth always waits 2.5 seconds for a PSU's accounts, whatever this value: if the core system is slower, nobody can consent to them",
    default: "2000",
    bounds: CORE_TIMEOUT_BOUNDS,
  },
  {
    name: "CORE_CALLS_AT_ONCE",
    meaning:
      "How many questions each process asks the core system at once, at most three quarters of them for one TPP. Four times as many may wait, for a quarter of the time limit; more get 503 at once",
    default: "32",
    bounds: [1, 1_000],
  },
  {
    name: "FRESHNESS_SECONDS",
    meaning:
      "How long an introspection answer may be used without news from auth, in seconds. A higher value bridges an outage of auth, but a withdrawn consent may work that much longer",
    default: "4",
    bounds: [0, 3_600],
  },
  {
    name: "CALLS_AT_ONCE_PER_TPP",
    meaning:
      "How many calls of a TPP each process handles at once. Ten times as many may wait, for three seconds; more get 429 at once",
    default: "24",
    bounds: [1, 10_000_000],
  },
  {
    name: "UNUSABLE_TOKENS_PER_MINUTE",
    meaning:
      "How many unusable access tokens a TPP may send to each process per minute and, counted separately, how often it may ask as a card issuer about accounts without a consent; then 429 for anything not cached",
    default: "600",
    bounds: [1, 10_000_000],
  },
  {
    name: "NEW_TOKENS_PER_MINUTE",
    meaning:
      "How many access tokens of a TPP each process asks auth about per minute, valid or not; then 429 for any token that is not cached. Raise it if one application gets more tokens a minute",
    default: "3000",
    bounds: [1, 10_000_000],
  },
  {
    name: "HISTORY_SCA_MINUTES",
    meaning:
      "How long transactions older than 90 days are served after the PSU's strong authentication for the consent, in minutes (RTS Article 10a)",
    default: "30",
    bounds: [0, 1_440],
  },
  {
    name: "TPP_NAME",
    meaning:
      "Whether the header `TPP-Name` is `optional` or `required`; the standard calls it mandatory, but its own examples omit it",
    default: "optional",
  },
  {
    name: "UNATTENDED_ACCESSES",
    meaning:
      "How often within 24 hours a TPP may ask for the balance or the transactions of an account without its PSU, for one consent; 96 means no limit. Fewer than four violate RTS Article 36(5)(b)",
    default: "4",
    bounds: [1, MAX_ACCESSES],
  },
  {
    name: "UNATTENDED_ACCESSES_OF_TPPS",
    meaning:
      "`UNATTENDED_ACCESSES` for individual TPPs, by agreement with the bank: `PSDCZ-CNB-99000011=24;…`",
    optional: true,
  },
  {
    name: "USER_INVOLVED_DEFAULT",
    meaning: "How a call without the header `User-Involved` is treated: `present` or `unattended`",
    default: "present",
  },
  {
    name: "BALANCE_CHECK_AMOUNTS_PER_HOUR",
    meaning:
      "How many different amounts a TPP may ask about per account within an hour; then 429. The limit within 24 hours is twice this; that of questions per hour, six times. PSD2 Article 65(1) sets no limit: raise it if many cards share an account",
    default: "10",
    bounds: [1, 100_000],
  },
  {
    name: "PAYMENTS",
    meaning:
      "`on`, or `off` for a bank without payments and balance checks: those resources answer 501. Payments accepted earlier are finished, and deleted in time. Set the same in auth, which grants the scope `pisp` otherwise",
    default: "on",
  },
  {
    name: "PAYMENTS_PER_MINUTE",
    meaning:
      "How many payments a TPP may enter at each process per minute; then 429. A repetition under the same `Idempotency-Key` does not count",
    default: "600",
    bounds: [1, 10_000_000],
  },
  {
    name: "UNSIGNED_PAYMENT_MINUTES",
    meaning: "How long after its entry a PSU may approve a payment, in minutes; then it expires",
    default: "30",
    bounds: [1, 1_440],
  },
  {
    name: "PAYMENT_RETENTION_DAYS",
    meaning:
      "How long a finished payment can be read, and the bank can tell a payer the answer to a balance check (PSD2 Article 65(5)), in days; afterwards a payment's `instructionIdentification` may be used again",
    default: "400",
    // At least 400 days: longer than the thirteen months within which a PSU may claim (PSD2 Article 71).
    bounds: [400, 4_000],
  },
];
