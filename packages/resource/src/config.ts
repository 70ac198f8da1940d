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
import { isBaseUrl } from "./bank/http-connector/core-settings.ts";
import type { BankChoice } from "./bank/open-bank.ts";
import { RESOURCE_VARIABLES } from "./env.ts";
import { type AccessLimits, parseAccessLimits } from "./unattended/access-limits.ts";

/** The complete configuration of the resource server. */
export interface ResourceConfiguration extends EdgeConfiguration {
  readonly anchors: TrustAnchors;
  readonly baseUrl: URL;
  readonly bankUrl: URL;
  /** The audience of our tokens, compared as text. */
  readonly resourceServer: string;
  /** The issuer of auth, compared as text. */
  readonly issuer: string;
  /** URL of auth's API host, published to TPPs; this server never calls it. */
  readonly authMutualTlsUrl: URL;
  readonly authBankUrl: URL;
  readonly bank: BankChoice;
  readonly freshnessSeconds: number;
  /** Calls of one TPP that a process carries out at the same time. */
  readonly callsAtOncePerTpp: number;
  /** Milliseconds that a call may wait for earlier calls of its TPP; three seconds by default. */
  readonly callWaitMilliseconds?: number;
  /** Unusable tokens that one TPP may send per minute, per process. */
  readonly unusableTokensPerMinute: number;
  /** Tokens of one TPP that auth is asked about per minute, per process. */
  readonly newTokensPerMinute: number;
  /** Minutes after the PSU's strong authentication during which transactions older than 90 days are served. */
  readonly historyScaMinutes: number;
  /** Whether a call without the header `TPP-Name` is answered (COBS A-12). */
  readonly tppName: "optional" | "required";
  /** How many accesses without the PSU may begin within 24 hours, for everybody and by TPP. */
  readonly accessLimits: AccessLimits;
  /** How a call without the header `User-Involved` is treated. */
  readonly userInvolvedDefault: "present" | "unattended";
  /** Different amounts that one TPP may ask about on one account within an hour. */
  readonly balanceCheckAmountsPerHour: number;
  /** Whether payments and balance checks are offered; payments that were entered before are finished in any case. */
  readonly payments: "on" | "off";
  /** Payments that one TPP may enter per minute, per process. */
  readonly paymentsPerMinute: number;
  /** Minutes that a PSU has to approve a payment. */
  readonly unsignedPaymentMinutes: number;
  /** Days for which a finished payment can still be read. */
  readonly paymentRetentionDays: number;
}

/** Creates the configuration from environment strings, or refuses with all faults at once. */
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
    newTokensPerMinute: () => read.integer("NEW_TOKENS_PER_MINUTE"),
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

/**
 * Reads the base URL of the core system. The paths of the contract are appended to it, so it may have a path but nothing
 * after the path.
 */
function readCoreUrl(read: ConfigurationReader): URL {
  const url = read.url("CORE_URL", ["https:"]);
  if (!isBaseUrl(url)) read.fault("CORE_URL must not have a query, a fragment or credentials");
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
