import { readFileSync } from "node:fs";
import { parseDatabasePlace } from "../database/database-place.ts";
import { parseCertificates } from "./key-files.ts";
import type { ConfigurationReader } from "./read-configuration.ts";
import { Secret } from "./secret.ts";

/** Reads the URL of a database, which is not connected to. */
export function readDatabaseUrl(read: ConfigurationReader): Secret {
  const name = "DATABASE_URL";
  // An empty file is a fault here, of which it tells.
  return readOptionalDatabaseUrl(read, name) ?? read.secret(name);
}

/** The same where there may be none. */
export function readOptionalDatabaseUrl(read: ConfigurationReader, name: string): Secret | undefined {
  return read.optionalSecret(name, (url) => {
    requireAuthority(url);
    parseDatabasePlace(url);
    return new Secret(url);
  });
}

/** The file of authorities that the URL names, if any: one that cannot be read would only be a database that does not answer. */
function requireAuthority(url: string): void {
  const [, query] = url.split("?", 2);
  const path = new URLSearchParams(query).get("sslrootcert");
  // Without a value it names none.
  if (path === null || path === "") return;
  parseCertificates(readPem(path), path);
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`the file ${path} of sslrootcert cannot be read`);
  }
}
