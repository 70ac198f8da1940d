import { readFileSync } from "node:fs";
import { parseDatabasePlace } from "../database/database-place.ts";
import { parseCertificates } from "./key-files.ts";
import type { ConfigurationReader } from "./read-configuration.ts";
import { Secret } from "./secret.ts";

/** Reads the URL of a database without connecting to it. */
export function readDatabaseUrl(read: ConfigurationReader): Secret {
  const name = "DATABASE_URL";
  // `secret` reports an empty file as a fault.
  return readOptionalDatabaseUrl(read, name) ?? read.secret(name);
}

/** Reads the URL of a database that may be absent. */
export function readOptionalDatabaseUrl(read: ConfigurationReader, name: string): Secret | undefined {
  return read.optionalSecret(name, (url) => {
    requireAuthority(url);
    parseDatabasePlace(url);
    return new Secret(url);
  });
}

/**
 * Checks the file of authorities that the URL names, if any. An unreadable file would otherwise look like a database that does
 * not answer.
 */
function requireAuthority(url: string): void {
  const [, query] = url.split("?", 2);
  const path = new URLSearchParams(query).get("sslrootcert");
  // An empty value names no file.
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
