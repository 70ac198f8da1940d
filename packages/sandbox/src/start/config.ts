import { resolve } from "node:path";
import {
  type ConfigurationReader,
  type Environment,
  parseDatabasePlace,
  readConfiguration,
  Secret,
} from "@cobs/service-edge/configuration";
import {
  LOOK_VARIABLES,
  OWN_PART_VARIABLES,
  PORT_VARIABLES,
  SANDBOX_VARIABLES,
  type SandboxPorts,
} from "./env.ts";
import type { ServiceEnvironment } from "./service-environment.ts";

/** The databases of the two services that are not embedded. */
export interface ExternalDatabases {
  readonly auth: Secret | undefined;
  readonly resource: Secret | undefined;
}

/** Where accounts and payments are: a URL is an external core system. */
export type SandboxCore = "direct" | "connector" | URL;

/** Configuration of `npm start`. */
export interface SandboxConfig {
  /** Absolute. */
  readonly directory: string;
  /** 0 takes a free port. */
  readonly ports: SandboxPorts;
  /**
   * How resource reaches the demo bank, in its database or through the HTTP connector; or the external core system that it
   * asks instead.
   */
  readonly core: SandboxCore;
  /** Variables for auth, which checks them: the look of its pages, and a login and a delivery of the integrator's own. */
  readonly forAuth: ServiceEnvironment;
  readonly externalDatabases: ExternalDatabases;
  /** Undefined if auth has no Redis; auth itself reads the URL. */
  readonly redisUrl: Secret | undefined;
}

/** Reads the sandbox's variables; refuses with all faults at once. */
export function configureSandbox(environment: Environment): SandboxConfig {
  return readConfiguration<SandboxConfig>(SANDBOX_VARIABLES, environment, (read) => ({
    directory: () => resolve(read.text("SANDBOX_DIRECTORY")),
    ports: () => readPorts(read),
    core: () => read.parsed("SANDBOX_CORE", parseCore),
    forAuth: () => readForAuth(read),
    externalDatabases: () =>
      read.together<ExternalDatabases>({
        auth: () => readDatabase(read, "AUTH_DATABASE_URL"),
        resource: () => readDatabase(read, "RESOURCE_DATABASE_URL"),
      }),
    redisUrl: () => read.optionalSecret("REDIS_URL", (url) => new Secret(url)),
  }));
}

function parseCore(text: string): SandboxCore {
  if (text === "direct" || text === "connector") return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:")
    throw new Error("must be direct, connector or the https URL of a core system");
  // Resource has the same rule for CORE_URL; here the person who starts the sandbox sees it.
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    throw new Error("must not have a query, a fragment or credentials");
  return url;
}

function readForAuth(read: ConfigurationReader): ServiceEnvironment {
  const forAuth: Record<string, string> = {};
  for (const { name } of [...LOOK_VARIABLES, ...OWN_PART_VARIABLES]) {
    const value = read.optionalText(name);
    if (value !== undefined) forAuth[name] = value;
  }
  return forAuth;
}

function readPorts(read: ConfigurationReader): SandboxPorts {
  const port = (name: keyof SandboxPorts) => () => read.port(PORT_VARIABLES[name]);
  return read.together<SandboxPorts>({
    authBrowser: port("authBrowser"),
    authMutualTls: port("authMutualTls"),
    authBank: port("authBank"),
    authOperator: port("authOperator"),
    resourceMutualTls: port("resourceMutualTls"),
    resourceBank: port("resourceBank"),
    resourceOperator: port("resourceOperator"),
    callback: port("callback"),
    revocation: port("revocation"),
    postgres: port("postgres"),
  });
}

function readDatabase(read: ConfigurationReader, name: string): Secret | undefined {
  if (read.optionalText(name) === undefined) return undefined;
  return read.parsed(name, (url) => {
    parseDatabasePlace(url);
    return new Secret(url);
  });
}
