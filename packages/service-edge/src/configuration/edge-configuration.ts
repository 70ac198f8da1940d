import { type BankCallers, parseBankCallers } from "../bank-callers.ts";
import type { DatabaseTimeLimits } from "../database/database-postgres.ts";
import type { KeyPairFiles } from "../tls/tls-listener.ts";
import { readTracingSettings, type TracingSettings } from "../tracing/tracing-settings.ts";
import { readDatabaseUrl, readOptionalDatabaseUrl } from "./database-url.ts";
import {
  type KeyPair,
  keyPairFiles,
  readCertificates,
  readCommonName,
  readKeyPair,
  readKeyPairFiles,
} from "./key-files.ts";
import type { ConfigurationReader, Members } from "./read-configuration.ts";
import type { Secret } from "./secret.ts";

/** Configuration that both services share: ports, keys, anchors, database, log. */
export interface EdgeConfiguration {
  /** `sandbox` admits sandbox anchors, the sandbox bank and the sandbox directory; `production` refuses them. */
  readonly mode: "production" | "sandbox";
  readonly listenHost: string;
  readonly mutualTlsPort: number;
  readonly bankPort: number;
  readonly operatorHost: string;
  readonly operatorPort: number;
  /** Most connections of each TLS listener of a process. */
  readonly maxConnections: number;
  readonly databaseUrl: Secret;
  /** The same database without the pooler; undefined if there is no pooler. */
  readonly databaseDirectUrl?: Secret | undefined;
  readonly databaseMaxConnections: number;
  /** For tests only, which share a machine with others; no variable sets it. */
  readonly databaseTimeLimits?: DatabaseTimeLimits;
  /** Milliseconds within which the other service must answer; for tests only. */
  readonly peerLimitMilliseconds?: number;
  readonly server: KeyPairFiles;
  readonly bankServer: KeyPairFiles;
  /** The certificate with which this service calls the other's bank listener; read again when its files change. */
  readonly bankClient: KeyPair & KeyPairFiles;
  /** Common name in that certificate, by which the other service knows this one. */
  readonly bankClientName: string;
  /** PEM of the private CA of the bank listeners. */
  readonly bankAuthority: string;
  readonly bankCallers: BankCallers;
  /** Path of the anchor file, which is read again when it changes. */
  readonly trustAnchorsFile: string;
  readonly revocation: RevocationConfiguration;
  readonly clientCertificateSource: ClientCertificateSource;
  /** Undefined or absent if traces are not wanted. */
  readonly tracing?: TracingSettings | undefined;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  /** Seconds for which a process serves as before after it stops being ready, so that load balancers notice. */
  readonly drainDelaySeconds: number;
  readonly drainLimitSeconds: number;
}

/** Whether and how the revocation of TPP certificates is checked; only the sandbox may skip it. */
export type RevocationConfiguration =
  | { readonly kind: "off" }
  | {
      readonly kind: "required";
      readonly cacheSeconds: number;
      readonly graceSeconds: number;
      /** Whether OCSP responders and CRLs may be fetched from loopback and private networks. */
      readonly allowsPrivateAddresses: boolean;
    };

/** Formats in which a proxy may forward a certificate (RFC 9440, nginx, Envoy); one per deployment. */
export type ForwardedFormat = "rfc9440" | "nginx" | "envoy";

/** Where the certificate of a TPP comes from: its own handshake, or a header of a proxy that authenticates itself. */
export type ClientCertificateSource =
  | { readonly kind: "tls" }
  | {
      readonly kind: "forwarded";
      readonly format: ForwardedFormat;
      /** Common names of the proxies' certificates under the private CA. */
      readonly proxies: ReadonlySet<string>;
    };

/** Reads the shared variables. */
export function readEdge(read: ConfigurationReader): Members<EdgeConfiguration> {
  const pathOf = (name: string) => {
    read.file(name);
    return read.text(name);
  };
  return {
    mode: () => {
      refuseForeignNode(read);
      return readMode(read);
    },
    listenHost: () => read.host("LISTEN_HOST"),
    mutualTlsPort: () => read.port("MUTUAL_TLS_PORT"),
    bankPort: () => read.port("BANK_PORT"),
    operatorHost: () => read.host("OPERATOR_HOST"),
    operatorPort: () => readOperatorPort(read),
    maxConnections: () => read.integer("MAX_CONNECTIONS"),
    databaseUrl: () => readDatabaseUrl(read),
    databaseDirectUrl: () => readOptionalDatabaseUrl(read, "DATABASE_DIRECT_URL"),
    databaseMaxConnections: () => read.integer("DATABASE_MAX_CONNECTIONS"),
    server: () => readKeyPairFiles(read, "SERVER"),
    bankServer: () => readKeyPairFiles(read, "BANK"),
    bankClient: () => ({ ...readKeyPair(read, "BANK_CLIENT"), ...keyPairFiles(read, "BANK_CLIENT") }),
    bankClientName: () => readCommonName(read, "BANK_CLIENT_CERTIFICATE_FILE"),
    bankAuthority: () => {
      refuseUnverified(read);
      return readCertificates(read, "BANK_AUTHORITY_FILE");
    },
    bankCallers: () => read.parsed("BANK_CALLERS", parseBankCallers),
    trustAnchorsFile: () => pathOf("TRUST_ANCHORS_FILE"),
    revocation: () => readRevocation(read),
    clientCertificateSource: () => readClientCertificateSource(read),
    tracing: () => readTracingSettings(read),
    logLevel: () => read.choice("LOG_LEVEL", ["debug", "info", "warn", "error"]),
    drainDelaySeconds: () => read.integer("DRAIN_DELAY_SECONDS"),
    drainLimitSeconds: () => read.integer("DRAIN_LIMIT_SECONDS"),
  };
}

/**
 * Refuses an environment that turns off the verification of TLS peers: database drivers leave it to Node.js, and Node.js to
 * its environment.
 */
function refuseUnverified(read: ConfigurationReader): void {
  const name = "NODE_TLS_REJECT_UNAUTHORIZED";
  if (read.optionalText(name) === "0") read.fault(`${name} must not be 0: TLS would accept any certificate`);
}

/**
 * Refuses a Node.js with English locale data only. It would silently write `1,500 CZK` on a page in Czech, where that means
 * one and a half, and sort names differently.
 */
function refuseForeignNode(read: ConfigurationReader): void {
  if (Intl.NumberFormat.supportedLocalesOf("cs").length === 0)
    read.fault(
      "this Node.js has no data for Czech: use one with full ICU data, often a separate package (nodejs-full-i18n, icu-data-full)",
    );
}

function readMode(read: ConfigurationReader): EdgeConfiguration["mode"] {
  return read.choice("MODE", ["production", "sandbox"]);
}

/** Hosts at which a listener listens on all addresses of the machine. */
const EVERY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];

function readOperatorPort(read: ConfigurationReader): number {
  const [own, others] = [read.text("OPERATOR_HOST"), read.text("LISTEN_HOST")];
  const isShared = own === others || [own, others].some((host) => EVERY_ADDRESS.includes(host));
  return read.port("OPERATOR_PORT", isShared ? "shared" : "own");
}

function readRevocation(read: ConfigurationReader): RevocationConfiguration {
  const kind = read.choice("REVOCATION", ["required", "off"]);
  const settings = read.together({
    cacheSeconds: () => read.integer("REVOCATION_CACHE_SECONDS"),
    graceSeconds: () => read.integer("REVOCATION_GRACE_SECONDS"),
    allowsPrivateAddresses: () =>
      read.choice("REVOCATION_PRIVATE_ADDRESSES", ["refused", "allowed"]) === "allowed",
  });
  if (kind === "required") return { kind, ...settings };
  requireSandboxMode(read, "REVOCATION=off");
  return { kind };
}

function readClientCertificateSource(read: ConfigurationReader): ClientCertificateSource {
  const source = read.choice("CLIENT_CERTIFICATE_SOURCE", ["tls", "rfc9440", "nginx", "envoy"]);
  const names = (read.optionalText("PROXY_NAMES") ?? "").split(",").map((name) => name.trim());
  const proxies = new Set(names.filter((name) => name !== ""));
  if (source === "tls") {
    if (proxies.size > 0) read.fault("PROXY_NAMES is set, but CLIENT_CERTIFICATE_SOURCE is tls");
    return { kind: "tls" };
  }
  if (proxies.size === 0) read.fault(`CLIENT_CERTIFICATE_SOURCE=${source} needs PROXY_NAMES`);
  // A proxy passes on what strangers send, so its certificate must not also give the rights of the bank's own services.
  for (const name of read.parsed("BANK_CALLERS", parseBankCallers).keys())
    if (proxies.has(name)) read.fault(`${name} is in PROXY_NAMES and in BANK_CALLERS`);
  return { kind: "forwarded", format: source, proxies };
}

/**
 * Reads and parses the trust anchor file, whose environment must match the mode: test authorities and real ones never meet in
 * one process.
 */
export function readAnchorsOfMode<T extends { readonly environment: string }>(
  read: ConfigurationReader,
  parse: (text: string) => T,
): T {
  const text = read.file("TRUST_ANCHORS_FILE");
  const anchors = read.parsed("TRUST_ANCHORS_FILE", () => parse(text));
  const mode = readMode(read);
  if (anchors.environment !== mode) {
    read.fault(`TRUST_ANCHORS_FILE holds ${anchors.environment} anchors, but MODE is ${mode}`);
  }
  return anchors;
}

/**
 * Reads the audience of access tokens, which both services compare character by character. It must therefore contain nothing
 * that a URL may do without (RFC 8707 section 2).
 */
export function readResourceServer(read: ConfigurationReader): string {
  return read.parsed("RESOURCE_SERVER", (text) => {
    if (/^https:\/\/[^#\s]+$/.test(text) && URL.canParse(text)) return text;
    throw new Error("must be an https URL without a fragment, and without space around it");
  });
}

/** Admits a part of the sandbox, named as `VARIABLE=value`, only in sandbox mode. */
export function requireSandboxMode(read: ConfigurationReader, part: string): void {
  if (readMode(read) !== "sandbox") read.fault(`${part} needs MODE=sandbox`);
}
