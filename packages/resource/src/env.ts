import { edgeVariables, type Variable } from "@cobs/service-edge";

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
    meaning: "Public URL under which TPPs reach `/cobs/2.0`; other Host headers are refused",
    default: "https://localhost:9443",
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
  },
  {
    name: "ISSUER",
    meaning: "Issuer identifier of auth, which signs the descriptions of tokens",
    default: "https://localhost:8443",
  },
  {
    name: "AUTH_MUTUAL_TLS_URL",
    meaning: "URL of auth's API host, as `openapi.json` tells it to TPPs",
    default: "https://localhost:8444",
  },
  {
    name: "AUTH_BANK_URL",
    meaning: "URL of auth's bank listener",
    default: "https://localhost:8445",
  },
  {
    name: "INTROSPECTION_CLIENT_ID",
    meaning: "Name under which auth describes tokens to this service",
    default: "resource",
  },
  {
    name: "BANK",
    meaning:
      "Core system behind the API: `sandbox`, the demo bank in this service's database, or `http`, one that is reached through the HTTP connector",
    default: "sandbox",
  },
  {
    name: "SANDBOX_SETTLEMENT_SECONDS",
    meaning:
      "With `BANK=sandbox`: how long after it was accepted a payment of the same day is booked, in seconds, as banks settle some time after they have said yes; an instant one is booked at once",
    default: "2",
  },
  {
    name: "CORE_URL",
    meaning:
      "With `BANK=http`: https URL of the core system, which the paths of its contract follow; it sees the certificate of `BANK_CLIENT_CERTIFICATE_FILE`",
    optional: true,
  },
  {
    name: "CORE_AUTHORITY_FILE",
    meaning: "With `BANK=http`: PEM of the authority that has certified the core system",
    optional: true,
  },
  {
    name: "CORE_TIMEOUT_MILLISECONDS",
    meaning:
      "How long a question to the core system may take from wanting it to the last octet of the answer, a second try included, in milliseconds; 503 then",
    default: "2000",
  },
  {
    name: "CORE_CALLS_AT_ONCE",
    meaning:
      "Questions under way to the core system at once, from each process; four times as many wait for a quarter of the time limit, more are answered with 503 at once",
    default: "32",
  },
  {
    name: "FRESHNESS_SECONDS",
    meaning:
      "How long the description of a token serves after auth was asked, in seconds. A higher figure bridges an outage of auth, and lets a withdrawn consent work as much longer",
    default: "4",
  },
  {
    name: "UNUSABLE_TOKENS_PER_MINUTE",
    meaning:
      "How many access tokens that prove unusable a TPP may send to each process in a minute, and, counted apart, how often it may ask as a card issuer about accounts without a consent; then 429 for what is not remembered",
    default: "600",
  },
  {
    name: "HISTORY_SCA_MINUTES",
    meaning:
      "How long after the PSU's strong authentication for a consent its transactions older than 90 days are served, in minutes (RTS Article 10a)",
    default: "30",
  },
  {
    name: "TPP_NAME",
    meaning:
      "Whether a call must have the header `TPP-Name`, which the standard calls mandatory and its own examples leave out: `optional` or `required`",
    default: "optional",
  },
  {
    name: "UNATTENDED_ACCESSES",
    meaning:
      "How often a TPP may ask for the balance or the transactions of an account without its PSU within 24 hours, for one consent; 96 is no limit. Fewer than four are against RTS Article 36(5)(b)",
    default: "4",
  },
  {
    name: "UNATTENDED_ACCESSES_OF_TPPS",
    meaning: "The same for single TPPs, by agreement with the bank: `PSDCZ-CNB-99000011=24;…`",
    optional: true,
  },
  {
    name: "USER_INVOLVED_DEFAULT",
    meaning: "What a call without the header `User-Involved` is taken for: `present` or `unattended`",
    default: "present",
  },
  {
    name: "PAYMENTS_PER_MINUTE",
    meaning:
      "How many payments a TPP may enter at each process in a minute; then 429. What is sent again under its `Idempotency-Key` does not count",
    default: "600",
  },
  {
    name: "UNSIGNED_PAYMENT_MINUTES",
    meaning: "How long a PSU has to approve a payment after it was entered, in minutes; it has expired then",
    default: "30",
  },
  {
    name: "PAYMENT_RETENTION_DAYS",
    meaning:
      "How long a payment that has ended is told of, in days; afterwards its `instructionIdentification` may be used again",
    default: "400",
  },
];
