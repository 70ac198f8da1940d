import { existsSync } from "node:fs";
import type { KeyPairFiles } from "@cobs/service-edge";
import type { SandboxCertificates } from "../certificates/sandbox-certificates.ts";
import type { SandboxLayout } from "../sandbox-folder/sandbox-layout.ts";
import type { SandboxPorts } from "./env.ts";

/** What the environment of a service is made from. */
export interface ServiceSurroundings {
  readonly layout: SandboxLayout;
  readonly ports: SandboxPorts;
  readonly certificates: SandboxCertificates;
  /** URL of the core system that resource asks; without it the demo bank is in resource's database. */
  readonly coreUrl?: string | undefined;
  /** Variables that `npm start` hands on to auth; by default those of the sandbox's look. */
  readonly forAuth?: ServiceEnvironment;
}

/** Environment variables of a service. */
export type ServiceEnvironment = Readonly<Record<string, string>>;

const DRAIN_LIMIT_SECONDS = 3;
const REVOCATION_CACHE_SECONDS = 10;
// A test machine may be busy with much else, and nobody hostile calls it.
const SECOND_READER_DEADLINE_MILLISECONDS = 5_000;
/** High, because messages to the inbox cost nothing, and trying out a TPP uses the same few PSUs. */
const CODES_PER_HOUR = 1_000;
const BANK_CALLERS = {
  auth: "resource=introspect,feed,signing;operator=operator",
  resource: "auth=accounts;operator=operator",
};

/** The base URL of a TLS listener of the sandbox. */
export function localUrl(port: number): string {
  return `https://localhost:${port}`;
}

/** The address of the API, which is also the audience of its tokens. */
export function resourceBase(ports: SandboxPorts): string {
  return `${localUrl(ports.resourceMutualTls)}/cobs/2.0`;
}

/** The environment of auth in the sandbox, with Redis if the file of its URL exists; secrets are only in files. */
export function authEnvironment(surroundings: ServiceSurroundings): ServiceEnvironment {
  const {
    layout,
    ports,
    certificates,
    forAuth = { BANK_CONTACT: "mailto:help@bank.example" },
  } = surroundings;
  return {
    ...sharedEnvironment("auth", surroundings),
    ...keyPair("SERVER", certificates.server.auth),
    ...keyPair("BANK", certificates.server.authBank),
    ...keyPair("BANK_CLIENT", certificates.bank.auth),
    BROWSER_PORT: String(ports.authBrowser),
    MUTUAL_TLS_PORT: String(ports.authMutualTls),
    BANK_PORT: String(ports.authBank),
    OPERATOR_PORT: String(ports.authOperator),
    MUTUAL_TLS_URL: localUrl(ports.authMutualTls),
    BANK_URL: localUrl(ports.authBank),
    RESOURCE_BANK_URL: localUrl(ports.resourceBank),
    SEALING_KEY_FILE: layout.sealingKey,
    ...(existsSync(layout.redisUrl) && { REDIS_URL_FILE: layout.redisUrl }),
    PSU_LOGIN: "sandbox",
    ...forAuth,
    CODES_PER_HOUR: String(CODES_PER_HOUR),
    SECOND_READER_DEADLINE_MILLISECONDS: String(SECOND_READER_DEADLINE_MILLISECONDS),
  };
}

/** The environment of resource in the sandbox; secrets are only in files. */
export function resourceEnvironment(surroundings: ServiceSurroundings): ServiceEnvironment {
  const { ports, certificates } = surroundings;
  return {
    ...sharedEnvironment("resource", surroundings),
    ...keyPair("SERVER", certificates.server.resource),
    ...keyPair("BANK", certificates.server.resourceBank),
    ...keyPair("BANK_CLIENT", certificates.bank.resource),
    MUTUAL_TLS_PORT: String(ports.resourceMutualTls),
    BANK_PORT: String(ports.resourceBank),
    OPERATOR_PORT: String(ports.resourceOperator),
    BASE_URL: localUrl(ports.resourceMutualTls),
    BANK_URL: localUrl(ports.resourceBank),
    AUTH_MUTUAL_TLS_URL: localUrl(ports.authMutualTls),
    AUTH_BANK_URL: localUrl(ports.authBank),
    ...bankEnvironment(surroundings),
  };
}

function bankEnvironment({ coreUrl, certificates }: ServiceSurroundings): ServiceEnvironment {
  if (coreUrl === undefined) return { BANK: "sandbox" };
  return { BANK: "http", CORE_URL: coreUrl, CORE_AUTHORITY_FILE: certificates.privateCaFile };
}

function sharedEnvironment(
  service: "auth" | "resource",
  { layout, ports, certificates }: ServiceSurroundings,
): ServiceEnvironment {
  return {
    MODE: "sandbox",
    REVOCATION: "required",
    // The test CA's responder is on loopback, and a revocation should show soon.
    REVOCATION_PRIVATE_ADDRESSES: "allowed",
    REVOCATION_CACHE_SECONDS: String(REVOCATION_CACHE_SECONDS),
    BANK_CALLERS: BANK_CALLERS[service],
    LISTEN_HOST: "127.0.0.1",
    ISSUER: localUrl(ports.authBrowser),
    RESOURCE_SERVER: resourceBase(ports),
    DATABASE_URL_FILE: layout.databaseUrl[service],
    TRUST_ANCHORS_FILE: certificates.anchorsFile,
    BANK_AUTHORITY_FILE: certificates.privateCaFile,
    // There is no proxy that must notice.
    DRAIN_DELAY_SECONDS: "0",
    DRAIN_LIMIT_SECONDS: String(DRAIN_LIMIT_SECONDS),
  };
}

function keyPair(prefix: string, files: KeyPairFiles): ServiceEnvironment {
  return { [`${prefix}_CERTIFICATE_FILE`]: files.certificateFile, [`${prefix}_KEY_FILE`]: files.keyFile };
}
