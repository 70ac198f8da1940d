import { parseTrustAnchors, type TrustAnchors } from "@cobs/psd2-certificates";
import {
  type ConfigurationReader,
  type EdgeConfiguration,
  type Environment,
  readAnchorsOfMode,
  readCertificates,
  readConfiguration,
  readEdge,
  readResourceServer,
  requireSandboxMode,
} from "@cobs/service-edge";
import type { BankChoice } from "./bank/open-bank.ts";
import { RESOURCE_VARIABLES } from "./env.ts";
import { type AccessLimits, parseAccessLimits } from "./unattended/access-limits.ts";

/** Everything that the resource server is configured with. */
export interface ResourceConfiguration extends EdgeConfiguration {
  readonly anchors: TrustAnchors;
  readonly baseUrl: URL;
  readonly bankUrl: URL;
  /** The audience of our tokens, compared as text. */
  readonly resourceServer: string;
  /** The issuer of auth, compared as text. */
  readonly issuer: string;
  /** Told to TPPs, never called. */
  readonly authMutualTlsUrl: URL;
  readonly authBankUrl: URL;
  readonly bank: BankChoice;
  readonly freshnessSeconds: number;
  /** In a process. */
  readonly callsAtOncePerTpp: number;
  /** How long a call may wait for those before it; three seconds unless told otherwise. */
  readonly callWaitMilliseconds?: number;
  /** Of a TPP. */
  readonly unusableTokensPerMinute: number;
  /** How long after a strong authentication transactions older than 90 days are served. */
  readonly historyScaMinutes: number;
  /** Whether a call without the header `TPP-Name` is answered (COBS A-12). */
  readonly tppName: "optional" | "required";
  /** How many accesses without the PSU may begin within 24 hours. */
  readonly accessLimits: AccessLimits;
  /** What a call without the header `User-Involved` is taken for. */
  readonly userInvolvedDefault: "present" | "unattended";
  /** Of a TPP, on one account. */
  readonly balanceCheckAmountsPerHour: number;
  /** Whether payments and balance checks are offered; what was taken before is finished in any case. */
  readonly payments: "on" | "off";
  /** Of a TPP. */
  readonly paymentsPerMinute: number;
  /** How long a PSU has to approve a payment. */
  readonly unsignedPaymentMinutes: number;
  /** How long a payment that has ended is told of. */
  readonly paymentRetentionDays: number;
}

/** Makes the configuration from environment strings, or refuses with all faults at once. */
export function configure(environment: Environment): ResourceConfiguration {
  return readConfiguration<ResourceConfiguration>(RESOURCE_VARIABLES, environment, (read) => ({
    ...readEdge(read),
    anchors: () => readAnchorsOfMode(read, parseTrustAnchors),
    baseUrl: () => read.origin("BASE_URL"),
    bankUrl: () => read.origin("BANK_URL"),
    resourceServer: () => readResourceServer(read),
    issuer: () => read.origin("ISSUER").origin,
    authMutualTlsUrl: () => read.origin("AUTH_MUTUAL_TLS_URL"),
    authBankUrl: () => read.origin("AUTH_BANK_URL"),
    bank: () => readBank(read),
    freshnessSeconds: () => read.integer("FRESHNESS_SECONDS"),
    callsAtOncePerTpp: () => read.integer("CALLS_AT_ONCE_PER_TPP"),
    unusableTokensPerMinute: () => read.integer("UNUSABLE_TOKENS_PER_MINUTE"),
    historyScaMinutes: () => read.integer("HISTORY_SCA_MINUTES"),
    tppName: () => read.choice("TPP_NAME", ["optional", "required"]),
    accessLimits: () => readAccessLimits(read),
    userInvolvedDefault: () => read.choice("USER_INVOLVED_DEFAULT", ["present", "unattended"]),
    balanceCheckAmountsPerHour: () => read.integer("BALANCE_CHECK_AMOUNTS_PER_HOUR"),
    payments: () => read.choice("PAYMENTS", ["on", "off"]),
    paymentsPerMinute: () => read.integer("PAYMENTS_PER_MINUTE"),
    unsignedPaymentMinutes: () => read.integer("UNSIGNED_PAYMENT_MINUTES"),
    paymentRetentionDays: () => read.integer("PAYMENT_RETENTION_DAYS"),
  }));
}

function readBank(read: ConfigurationReader): BankChoice {
  const kind = read.choice("BANK", ["sandbox", "http"]);
  if (kind === "http") return { kind, core: readCore(read) };
  requireSandboxMode(read, `BANK=${kind}`);
  return read.together<BankChoice>({
    kind: () => kind,
    settlementSeconds: () => read.integer("SANDBOX_SETTLEMENT_SECONDS"),
  });
}

function readCore(read: ConfigurationReader) {
  return read.together({
    url: () => readCoreUrl(read),
    authority: () => readCertificates(read, "CORE_AUTHORITY_FILE"),
    timeoutMilliseconds: () => read.integer("CORE_TIMEOUT_MILLISECONDS"),
    callsAtOnce: () => read.integer("CORE_CALLS_AT_ONCE"),
  });
}

/** The paths of the contract follow it, so that it can have a path but nothing behind that. */
function readCoreUrl(read: ConfigurationReader): URL {
  const url = read.url("CORE_URL", ["https:"]);
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    read.fault("CORE_URL has a query, a fragment, or a name to sign in with");
  return url;
}

function readAccessLimits(read: ConfigurationReader): AccessLimits {
  const agreed = "UNATTENDED_ACCESSES_OF_TPPS";
  return read.together<AccessLimits>({
    ofEverybody: () => read.integer("UNATTENDED_ACCESSES"),
    ofTpps: () =>
      read.optionalText(agreed) === undefined ? new Map() : read.parsed(agreed, parseAccessLimits),
  });
}
