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
    meaning: "Public URL under which TPPs reach `/cobs/2.0`, without a path; other Host headers are refused",
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
    meaning: "Audience of the access tokens that are admitted here; the same in auth",
    default: "https://localhost:9443/cobs/2.0",
    setInProduction: true,
  },
  {
    name: "ISSUER",
    meaning: "Issuer identifier of auth, which signs introspection answers; the same in auth",
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
      "Core system behind the API: `sandbox`, the demo bank in this service's database, or `http`, a core system reached through the HTTP connector",
    default: "sandbox",
  },
  {
    name: "SANDBOX_SETTLEMENT_SECONDS",
    meaning:
      "With `BANK=sandbox`: how long after its acceptance a payment for the same day is booked, in seconds; an instant payment is booked at once",
    default: "2",
    bounds: [0, 86_400],
  },
  {
    name: "CORE_URL",
    meaning:
      "With `BANK=http`: https base URL of the core system. It is called with the certificate of `BANK_CLIENT_CERTIFICATE_FILE`",
    optional: true,
  },
  {
    name: "CORE_AUTHORITY_FILE",
    meaning: "With `BANK=http`: PEM of the authority that certifies the core system",
    optional: true,
  },
  {
    name: "CORE_TIMEOUT_MILLISECONDS",
    meaning:
      "How long a question to the core system may take in all, waiting and a second attempt included, in milliseconds; then the answer is 503. For the accounts of a PSU auth waits 2.5 seconds, whatever stands here: of a core system that is slower nobody can consent to them",
    default: "2000",
    bounds: CORE_TIMEOUT_BOUNDS,
  },
  {
    name: "CORE_CALLS_AT_ONCE",
    meaning:
      "How many questions each process asks the core system at the same time. Four times as many may wait, for a quarter of the time limit; further ones are answered with 503 at once",
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
      "How many calls of a TPP each process carries out at the same time. Four times as many may wait, for three seconds; further ones are answered with 429 at once",
    default: "64",
    bounds: [1, 10_000_000],
  },
  {
    name: "UNUSABLE_TOKENS_PER_MINUTE",
    meaning:
      "How many unusable access tokens a TPP may send to each process in a minute and, counted separately, how often it may ask as a card issuer about accounts without a consent; then 429 for whatever is not cached",
    default: "600",
    bounds: [1, 10_000_000],
  },
  {
    name: "HISTORY_SCA_MINUTES",
    meaning:
      "How long after the PSU's strong authentication for a consent transactions older than 90 days are served, in minutes (RTS Article 10a)",
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
      "How often a TPP may ask for the balance or the transactions of an account without its PSU within 24 hours, for one consent; 96 means no limit. Fewer than four violate RTS Article 36(5)(b)",
    default: "4",
    bounds: [1, MAX_ACCESSES],
  },
  {
    name: "UNATTENDED_ACCESSES_OF_TPPS",
    meaning: "The same for individual TPPs, by agreement with the bank: `PSDCZ-CNB-99000011=24;…`",
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
      "How many different amounts a TPP may ask about on one account within an hour; then 429. Twice as many within 24 hours, and six times as many questions an hour. PSD2 Article 65(1) knows no limit: a bank with many cards on one account raises it",
    default: "10",
    bounds: [1, 100_000],
  },
  {
    name: "PAYMENTS",
    meaning:
      "`on`, or `off` for a bank of which no payments and balance checks can be asked: those resources are answered with 501. Payments that were taken before are finished, and forgotten in time. Auth goes on to give the scope `pisp` to whoever asks for it",
    default: "on",
  },
  {
    name: "PAYMENTS_PER_MINUTE",
    meaning:
      "How many payments a TPP may enter at each process in a minute; then 429. A repetition under its `Idempotency-Key` does not count",
    default: "600",
    bounds: [1, 10_000_000],
  },
  {
    name: "UNSIGNED_PAYMENT_MINUTES",
    meaning: "How long a PSU has to approve a payment after it was entered, in minutes; then it expires",
    default: "30",
    bounds: [1, 1_440],
  },
  {
    name: "PAYMENT_RETENTION_DAYS",
    meaning:
      "How long a finished payment can be read, and the bank can tell a payer what was answered to a balance check (PSD2 Article 65(5)), in days; afterwards the `instructionIdentification` of a payment may be used again",
    default: "400",
    // At least 400 days: longer than the thirteen months within which a PSU may claim (PSD2 Article 71).
    bounds: [400, 4_000],
  },
];
