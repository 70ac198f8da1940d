import { TRACING_VARIABLES } from "../tracing/tracing-settings.ts";
import type { Variable } from "./variable.ts";

/** Values in the shared table that differ between the services. */
export interface EdgeDefaults {
  readonly mutualTlsPort: string;
  readonly bankPort: string;
  readonly operatorPort: string;
  readonly bankCallers: string;
}

/** Returns the shared rows of the table of variables. */
export function edgeVariables(defaults: EdgeDefaults): readonly Variable[] {
  return [
    {
      name: "MODE",
      meaning: "`production`, or `sandbox`, which alone accepts sandbox anchors and the demo bank",
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
      name: "MAX_CONNECTIONS",
      meaning: "Maximum number of connections to each TLS listener of a process; more are closed at once",
      default: "10000",
      bounds: [10, 1_000_000],
    },
    {
      name: "OPERATOR_HOST",
      meaning:
        "Address of the operator listener. Use a private network address if a proxy or orchestrator must reach it from outside",
      default: "127.0.0.1",
    },
    {
      name: "OPERATOR_PORT",
      meaning: "Port of the operator listener, plain http: `/livez`, `/readyz`, `/metrics`",
      default: defaults.operatorPort,
    },
    {
      name: "DATABASE_URL",
      meaning:
        "PostgreSQL URL of this service's own database and role; or `DATABASE_URL_FILE`, a file that contains it. With several hosts, `postgresql://user:password@host:5432,host:5432/database`, the current primary is used",
      secret: true,
    },
    {
      name: "DATABASE_DIRECT_URL",
      meaning:
        "The same database without the pooler, if `DATABASE_URL` goes through PgBouncer: for migrations and LISTEN; or `DATABASE_DIRECT_URL_FILE`",
      optional: true,
      secret: true,
    },
    {
      name: "DATABASE_MAX_CONNECTIONS",
      meaning: "Maximum number of database connections of this process",
      default: "16",
      bounds: [1, 500],
    },
    {
      name: "SERVER_CERTIFICATE_FILE",
      meaning: "PEM chain of the public listeners; reloaded when it changes",
    },
    { name: "SERVER_KEY_FILE", meaning: "PEM key of the public listeners" },
    { name: "BANK_CERTIFICATE_FILE", meaning: "PEM chain of the bank listener; reloaded when it changes" },
    { name: "BANK_KEY_FILE", meaning: "PEM key of the bank listener" },
    {
      name: "BANK_CLIENT_CERTIFICATE_FILE",
      meaning:
        "PEM certificate with which this service calls the other's bank listener, which knows it by the common name; reloaded when it changes, and must keep that name",
    },
    { name: "BANK_CLIENT_KEY_FILE", meaning: "PEM key of `BANK_CLIENT_CERTIFICATE_FILE`" },
    {
      name: "BANK_AUTHORITY_FILE",
      meaning: "PEM of the private CA that certifies the bank listeners and their callers",
    },
    {
      name: "NODE_TLS_REJECT_UNAUTHORIZED",
      meaning:
        "A variable of Node.js, best left unset: `0` is refused, because anyone on the network path could pose as the database or Redis",
      optional: true,
    },
    {
      name: "BANK_CALLERS",
      meaning: "Who may call the bank listener, and for what: `common-name=right,right;…`",
      default: defaults.bankCallers,
    },
    { name: "TRUST_ANCHORS_FILE", meaning: "Trust anchors for TPP certificates, a reviewed JSON file" },
    {
      name: "REVOCATION",
      meaning:
        "`required`: every TPP certificate is checked by OCSP, then CRL. `off`, in the sandbox only: not checked",
      default: "required",
    },
    {
      name: "REVOCATION_CACHE_SECONDS",
      meaning:
        "How long a `good` answer about a certificate is cached, in seconds; a revoked certificate is refused within this time",
      default: "600",
      bounds: [1, 86_400],
    },
    {
      name: "REVOCATION_GRACE_SECONDS",
      meaning:
        "How much longer a previously good certificate is accepted while neither OCSP nor a CRL answers, in seconds; never for registering or changing applications, pushing requests, redeeming codes, entering payments or starting their signing",
      default: "900",
      bounds: [0, 86_400],
    },
    {
      name: "REVOCATION_PRIVATE_ADDRESSES",
      meaning:
        "Whether OCSP responders and CRLs may be on loopback and private networks: `refused` or `allowed`",
      default: "refused",
    },
    {
      name: "CLIENT_CERTIFICATE_SOURCE",
      meaning:
        "`tls`: TPPs connect directly. `rfc9440`, `nginx` or `envoy`: a proxy terminates their TLS and passes the certificate on in this format; only the proxies of `PROXY_NAMES` can then connect to the port for TPPs",
      default: "tls",
    },
    {
      name: "PROXY_NAMES",
      meaning: "Comma-separated common names of the proxies' certificates under the private CA",
      optional: true,
    },
    { name: "LOG_LEVEL", meaning: "`debug`, `info`, `warn` or `error`", default: "info" },
    {
      name: "DRAIN_DELAY_SECONDS",
      meaning:
        "How long calls are still accepted after SIGTERM, in seconds. `/readyz` fails at once; the proxy must notice within this time",
      default: "3",
      bounds: [0, 300],
    },
    {
      name: "DRAIN_LIMIT_SECONDS",
      meaning: "How long calls in progress may take to finish after `DRAIN_DELAY_SECONDS`, in seconds",
      default: "10",
      bounds: [0, 300],
    },
    ...TRACING_VARIABLES,
  ];
}
