import { readFileSync } from "node:fs";
import { type BankCallers, parseBankCallers } from "../bank-callers.ts";
import type { DatabaseTimeLimits } from "../database/database-postgres.ts";
import type { KeyPairFiles } from "../tls/tls-listener.ts";
import type { ConfigurationReader, Members } from "./read-configuration.ts";
import type { Secret } from "./secret.ts";
import type { Variable } from "./variable.ts";

/** What both services are configured with in the same words: ports, keys, anchors, database, log. */
export interface EdgeConfiguration {
  /** `sandbox` admits sandbox anchors, the sandbox bank and the sandbox directory; `production` refuses them. */
  readonly mode: "production" | "sandbox";
  readonly listenHost: string;
  readonly mutualTlsPort: number;
  readonly bankPort: number;
  readonly operatorPort: number;
  readonly databaseUrl: Secret;
  readonly databaseMaxConnections: number;
  /** Only for tests, which share a machine with others; no variable sets it. */
  readonly databaseTimeLimits?: DatabaseTimeLimits;
  readonly server: KeyPairFiles;
  readonly bankServer: KeyPairFiles;
  /** The certificate with which this service calls the other one's bank listener. */
  readonly bankClient: { readonly certificate: string; readonly key: Secret };
  /** PEM of the private CA of the bank listeners. */
  readonly bankAuthority: string;
  readonly bankCallers: BankCallers;
  /** Read again when it changes. */
  readonly trustAnchorsFile: string;
  readonly revocation: RevocationConfiguration;
  readonly clientCertificateSource: ClientCertificateSource;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  readonly drainLimitSeconds: number;
}

/** Whether and how it is asked that a TPP certificate was revoked; not to ask is for the sandbox alone. */
export type RevocationConfiguration =
  | { readonly kind: "off" }
  | {
      readonly kind: "required";
      readonly cacheSeconds: number;
      readonly graceSeconds: number;
      /** Whether OCSP responders and CRLs may be fetched from loopback and private networks. */
      readonly allowsPrivateAddresses: boolean;
    };

/** The spellings in which a proxy may hand on a certificate (RFC 9440, nginx, Envoy); one per deployment. */
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

/** What differs between the services in the shared table. */
export interface EdgeDefaults {
  readonly mutualTlsPort: string;
  readonly bankPort: string;
  readonly operatorPort: string;
  readonly bankCallers: string;
}

/** The shared rows of the table of variables. */
export function edgeVariables(defaults: EdgeDefaults): readonly Variable[] {
  return [
    {
      name: "MODE",
      meaning:
        "`production`, or `sandbox`: then, and only then, sandbox anchors and the demo bank are admitted",
      default: "production",
    },
    {
      name: "LISTEN_HOST",
      meaning: "Address on which the TLS listeners accept connections",
      default: "127.0.0.1",
    },
    {
      name: "MUTUAL_TLS_PORT",
      meaning: "Port for TPPs, mutual TLS with a QWAC",
      default: defaults.mutualTlsPort,
    },
    {
      name: "BANK_PORT",
      meaning: "Port for the bank's own services, mutual TLS under the private CA",
      default: defaults.bankPort,
    },
    {
      name: "OPERATOR_PORT",
      meaning: "Port on loopback, plain http: `/livez`, `/readyz`, `/metrics`",
      default: defaults.operatorPort,
    },
    {
      name: "DATABASE_URL",
      meaning:
        "PostgreSQL URL of this service's own database and role; or `DATABASE_URL_FILE`, the file that holds it",
      secret: true,
    },
    {
      name: "DATABASE_MAX_CONNECTIONS",
      meaning: "Most connections of this process to the database",
      default: "16",
    },
    {
      name: "SERVER_CERTIFICATE_FILE",
      meaning: "PEM chain of the public listeners; read again when it changes",
    },
    { name: "SERVER_KEY_FILE", meaning: "PEM key of the public listeners" },
    { name: "BANK_CERTIFICATE_FILE", meaning: "PEM chain of the bank listener" },
    { name: "BANK_KEY_FILE", meaning: "PEM key of the bank listener" },
    {
      name: "BANK_CLIENT_CERTIFICATE_FILE",
      meaning: "PEM certificate with which this service calls the other's bank listener",
    },
    { name: "BANK_CLIENT_KEY_FILE", meaning: "PEM key to `BANK_CLIENT_CERTIFICATE_FILE`" },
    {
      name: "BANK_AUTHORITY_FILE",
      meaning: "PEM of the private CA under which the bank listeners and their callers are certified",
    },
    {
      name: "BANK_CALLERS",
      meaning: "Who may call the bank listener and for what: `common-name=right,right;…`",
      default: defaults.bankCallers,
    },
    { name: "TRUST_ANCHORS_FILE", meaning: "Trust anchors for TPP certificates, a reviewed JSON file" },
    {
      name: "REVOCATION",
      meaning:
        "`required`: OCSP, then CRL, are asked about every TPP certificate. `off`, in the sandbox alone: they are not",
      default: "required",
    },
    {
      name: "REVOCATION_CACHE_SECONDS",
      meaning:
        "How long the answer that a certificate is good serves, in seconds; a revoked one is refused within this time",
      default: "600",
    },
    {
      name: "REVOCATION_GRACE_SECONDS",
      meaning:
        "How much longer a certificate that was good goes on while OCSP and CRL are silent, in seconds; never for registration, code exchange and payment initiation",
      default: "900",
    },
    {
      name: "REVOCATION_PRIVATE_ADDRESSES",
      meaning:
        "`refused`, or `allowed`: OCSP responders and CRLs on loopback and private networks are asked too",
      default: "refused",
    },
    {
      name: "CLIENT_CERTIFICATE_SOURCE",
      meaning:
        "`tls`: TPPs connect here. `rfc9440`, `nginx` or `envoy`: a proxy does TLS with them and hands the certificate on in this form; only the proxies of `PROXY_NAMES` can then connect to the port for TPPs",
      default: "tls",
    },
    {
      name: "PROXY_NAMES",
      meaning: "Common names of the proxies' certificates under the private CA, separated by commas",
      optional: true,
    },
    { name: "LOG_LEVEL", meaning: "`debug`, `info`, `warn` or `error`", default: "info" },
    {
      name: "DRAIN_LIMIT_SECONDS",
      meaning: "How long running calls may take to end after SIGTERM, in seconds",
      default: "10",
    },
  ];
}

const PORTS = { min: 0, max: 65_535 };

/** Reads the shared rows. */
export function readEdge(read: ConfigurationReader): Members<EdgeConfiguration> {
  const pathOf = (name: string) => {
    read.file(name);
    return read.text(name);
  };
  const keyPair = (prefix: string) =>
    read.together<KeyPairFiles>({
      certificateFile: () => pathOf(`${prefix}_CERTIFICATE_FILE`),
      keyFile: () => pathOf(`${prefix}_KEY_FILE`),
    });
  return {
    mode: () => readMode(read),
    listenHost: () => read.text("LISTEN_HOST"),
    mutualTlsPort: () => read.integer("MUTUAL_TLS_PORT", PORTS),
    bankPort: () => read.integer("BANK_PORT", PORTS),
    operatorPort: () => read.integer("OPERATOR_PORT", PORTS),
    databaseUrl: () => read.secret("DATABASE_URL"),
    databaseMaxConnections: () => read.integer("DATABASE_MAX_CONNECTIONS", { min: 1, max: 500 }),
    server: () => keyPair("SERVER"),
    bankServer: () => keyPair("BANK"),
    bankClient: () =>
      read.together({
        certificate: () => read.file("BANK_CLIENT_CERTIFICATE_FILE"),
        key: () => read.secretFile("BANK_CLIENT_KEY_FILE"),
      }),
    bankAuthority: () => read.file("BANK_AUTHORITY_FILE"),
    bankCallers: () => read.parsed("BANK_CALLERS", parseBankCallers),
    trustAnchorsFile: () => pathOf("TRUST_ANCHORS_FILE"),
    revocation: () => readRevocation(read),
    clientCertificateSource: () => readClientCertificateSource(read),
    logLevel: () => read.choice("LOG_LEVEL", ["debug", "info", "warn", "error"]),
    drainLimitSeconds: () => read.integer("DRAIN_LIMIT_SECONDS", { min: 0, max: 300 }),
  };
}

function readMode(read: ConfigurationReader): EdgeConfiguration["mode"] {
  return read.choice("MODE", ["production", "sandbox"]);
}

function readRevocation(read: ConfigurationReader): RevocationConfiguration {
  const kind = read.choice("REVOCATION", ["required", "off"]);
  const settings = read.together({
    cacheSeconds: () => read.integer("REVOCATION_CACHE_SECONDS", { min: 1, max: 86_400 }),
    graceSeconds: () => read.integer("REVOCATION_GRACE_SECONDS", { min: 0, max: 86_400 }),
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
  // A proxy passes on what strangers send: no path past it may lead to what the bank's own services may do.
  for (const name of read.parsed("BANK_CALLERS", parseBankCallers).keys())
    if (proxies.has(name)) read.fault(`${name} is in PROXY_NAMES and in BANK_CALLERS`);
  return { kind: "forwarded", format: source, proxies };
}

/** Reads and parses the trust anchor file. Test authorities and real ones never meet in one process: it must be of the mode. */
export function readAnchorsOfMode<T extends { readonly environment: string }>(
  read: ConfigurationReader,
  parse: (text: string) => T,
): T {
  const anchors = read.parsed("TRUST_ANCHORS_FILE", (path) => parse(readFileSync(path, "utf8")));
  const mode = readMode(read);
  if (anchors.environment !== mode) {
    read.fault(`TRUST_ANCHORS_FILE holds ${anchors.environment} anchors, but MODE is ${mode}`);
  }
  return anchors;
}

/** Admits a part of the sandbox, named as `VARIABLE=value`, in sandbox mode only. */
export function requireSandboxMode(read: ConfigurationReader, part: string): void {
  if (readMode(read) !== "sandbox") read.fault(`${part} needs MODE=sandbox`);
}
