import { UPSTREAM_VARIABLES } from "@cobs/auth/upstream-variables";
import type { Variable } from "@cobs/service-edge";

/** Listeners of a sandbox that have a port. */
export const PORT_NAMES = [
  "authBrowser",
  "authMutualTls",
  "authBank",
  "authOperator",
  "resourceMutualTls",
  "resourceBank",
  "resourceOperator",
  "callback",
  "revocation",
  "postgres",
] as const;

/** The ports of a sandbox, by listener. */
export type SandboxPorts = Readonly<Record<(typeof PORT_NAMES)[number], number>>;

/** The variable that sets each port. */
export const PORT_VARIABLES: Readonly<Record<keyof SandboxPorts, string>> = {
  authBrowser: "AUTH_BROWSER_PORT",
  authMutualTls: "AUTH_MUTUAL_TLS_PORT",
  authBank: "AUTH_BANK_PORT",
  authOperator: "AUTH_OPERATOR_PORT",
  resourceMutualTls: "RESOURCE_MUTUAL_TLS_PORT",
  resourceBank: "RESOURCE_BANK_PORT",
  resourceOperator: "RESOURCE_OPERATOR_PORT",
  callback: "CALLBACK_PORT",
  revocation: "REVOCATION_PORT",
  postgres: "POSTGRES_PORT",
};

/** Variables for the look of the PSU's pages, in the words of auth, which reads and checks them. */
export const LOOK_VARIABLES: readonly Variable[] = [
  { name: "BANK_NAME", meaning: "Name of the bank on the PSU's pages", default: "Sandbox Bank" },
  {
    name: "BANK_COLOR",
    meaning: "Colour of links and buttons on those pages, as `#rrggbb`. Absent: blue",
    optional: true,
  },
  {
    name: "BANK_LOGO_FILE",
    meaning: "The bank's logo on those pages: SVG or PNG, at most 100 kB. Absent: a plain mark",
    optional: true,
  },
  {
    name: "BANK_CONTACT",
    meaning: "The bank's contact for PSUs: `tel:…`, `mailto:…` or `https://…`",
    default: "mailto:help@bank.example",
  },
  {
    name: "BANK_PRIVACY_URL",
    meaning: "The bank's privacy notice, as `https://…`. Absent: none",
    optional: true,
  },
];

/** Variables for a login and a delivery of the integrator's own, in the words of auth, which reads and checks them. */
export const OWN_PART_VARIABLES: readonly Variable[] = [
  {
    name: "PSU_LOGIN",
    meaning:
      "`sandbox`: the demo PSUs sign in with their passwords and codes; `oidc`: PSUs sign in at your own OpenID provider, and the demo PSUs cannot",
    default: "sandbox",
  },
  ...UPSTREAM_VARIABLES,
  {
    name: "DELIVERY_URL",
    meaning:
      "Your own service that delivers payment codes and notices, certified by the private CA of the sandbox. Absent: an inbox page for each PSU",
    optional: true,
  },
];

/** Every variable of `npm start`; a port of 0 takes a free one, a different one at each start. */
export const SANDBOX_VARIABLES: readonly Variable[] = [
  {
    name: "SANDBOX_DIRECTORY",
    meaning: "Folder of all data of the sandbox; its commands read this too",
    default: ".sandbox",
  },
  { name: "AUTH_BROWSER_PORT", meaning: "auth: the PSU's browser; the issuer", default: "8443" },
  { name: "AUTH_MUTUAL_TLS_PORT", meaning: "auth: TPPs", default: "8444" },
  { name: "AUTH_BANK_PORT", meaning: "auth: the bank's own services", default: "8445" },
  { name: "AUTH_OPERATOR_PORT", meaning: "auth: health and metrics, plain http", default: "8446" },
  { name: "RESOURCE_MUTUAL_TLS_PORT", meaning: "resource: TPPs", default: "9443" },
  { name: "RESOURCE_BANK_PORT", meaning: "resource: the bank's own services", default: "9444" },
  { name: "RESOURCE_OPERATOR_PORT", meaning: "resource: health and metrics, plain http", default: "9446" },
  { name: "CALLBACK_PORT", meaning: "Where the TPP command line waits for the browser", default: "7443" },
  {
    name: "REVOCATION_PORT",
    meaning: "OCSP responder and CRL of the test CA, plain http; named in TPP certificates",
    default: "8447",
  },
  { name: "POSTGRES_PORT", meaning: "The embedded PostgreSQL", default: "0" },
  {
    name: "SANDBOX_CORE",
    meaning:
      "`direct`; `connector`: resource reaches the demo bank through the HTTP connector, as it would a bank's core system; or the https URL of your own core system",
    default: "direct",
  },
  ...OWN_PART_VARIABLES,
  ...LOOK_VARIABLES,
  {
    name: "AUTH_DATABASE_URL",
    meaning: "PostgreSQL database for auth, instead of the embedded one",
    optional: true,
    secret: true,
  },
  {
    name: "RESOURCE_DATABASE_URL",
    meaning: "PostgreSQL database for resource, instead of the embedded one",
    optional: true,
    secret: true,
  },
  {
    name: "REDIS_URL",
    meaning: "Redis for auth. Absent: PostgreSQL keeps everything",
    optional: true,
    secret: true,
  },
];
