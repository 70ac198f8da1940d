import { parseDatabasePlace } from "../database/database-place.ts";
import type { ConfigurationReader } from "./read-configuration.ts";
import { Secret } from "./secret.ts";

/** Reads the URL of a database, which is not connected to. */
export function readDatabaseUrl(read: ConfigurationReader, name: string): Secret {
  // An empty file is a fault here, of which it tells.
  return readOptionalDatabaseUrl(read, name) ?? read.secret(name);
}

/** The same where there may be none. */
export function readOptionalDatabaseUrl(read: ConfigurationReader, name: string): Secret | undefined {
  return read.optionalSecret(name, (url) => {
    parseDatabasePlace(url);
    return new Secret(url);
  });
}
