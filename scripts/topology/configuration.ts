import {
  type ConfigurationReader,
  type Environment,
  findSet,
  parseDatabasePlace,
  readConfiguration,
} from "@cobs/service-edge/configuration";
import { SANDBOX_VARIABLES } from "../../packages/sandbox/src/start/env.ts";

const NAMES: readonly string[] = ["AUTH_DATABASE_URL", "RESOURCE_DATABASE_URL", "REDIS_URL"];

/**
 * The variables of `npm run topology`, as `npm start` has them. None is an option: every user of a machine can read the
 * arguments of its processes, and these URLs hold passwords.
 */
export const TOPOLOGY_VARIABLES = SANDBOX_VARIABLES.filter(({ name }) => NAMES.includes(name));

/** The stores that are not embedded. */
export interface ExternalStores {
  /** Undefined if one embedded PostgreSQL has both databases. */
  readonly database: { readonly auth: string; readonly resource: string } | undefined;
  /** Undefined if auth has no Redis. */
  readonly redis: string | undefined;
}

/**
 * Reads the variables, or the files that they name with `_FILE`; refuses one database without the other. Tells every fault at
 * once.
 */
export function configureTopology(environment: Environment): ExternalStores {
  return readConfiguration<ExternalStores>(TOPOLOGY_VARIABLES, environment, (read) => ({
    database: () => readDatabases(read, environment),
    redis: () => read.optionalSecret("REDIS_URL", (url) => url),
  }));
}

function readDatabases(read: ConfigurationReader, environment: Environment): ExternalStores["database"] {
  const isGiven = (name: string) => [name, `${name}_FILE`].some((each) => findSet(environment, each));
  if (isGiven("AUTH_DATABASE_URL") !== isGiven("RESOURCE_DATABASE_URL"))
    read.fault("AUTH_DATABASE_URL and RESOURCE_DATABASE_URL are given together");
  const { auth, resource } = read.together({
    auth: () => read.optionalSecret("AUTH_DATABASE_URL", requireDatabase),
    resource: () => read.optionalSecret("RESOURCE_DATABASE_URL", requireDatabase),
  });
  return auth === undefined || resource === undefined ? undefined : { auth, resource };
}

function requireDatabase(url: string): string {
  parseDatabasePlace(url);
  return url;
}
