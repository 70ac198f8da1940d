import { followUrl, parseDatabasePlace, type Secret } from "@cobs/service-edge/configuration";
import { isDatabaseUnavailable } from "@cobs/service-edge/database";
import pg from "pg";
import { SeedRefusal } from "./seed-refusal.ts";

/** Short, because a person waits; a stopped server accepts a connection and then says nothing. */
const PATIENCE_MILLISECONDS = 5_000;

/**
 * Connects to the database of a resource server under an application name; the caller closes it. Refuses with `no_database`.
 */
export async function connect(
  url: Secret,
  applicationName: string,
  limits: Pick<pg.ClientConfig, "query_timeout"> = {},
): Promise<pg.Client> {
  try {
    // The constructor throws if the environment asks for TLS that the URL does not have.
    const client = new pg.Client({
      ...followUrl(url),
      application_name: applicationName,
      connectionTimeoutMillis: PATIENCE_MILLISECONDS,
      ...limits,
    });
    // A broken connection fails its queries; without a listener it would also end the process.
    client.on("error", () => {});
    await client.connect();
    return client;
  } catch (cause) {
    throw noAnswer(cause);
  }
}

/** Requires that one of the servers of a URL answers, for callers that connect only later. Refuses with `no_database`. */
export async function requireAnswering(url: Secret, applicationName: string): Promise<void> {
  const [first, ...others] = parseDatabasePlace(url.reveal()).hosts;
  let asked = ask(first, applicationName);
  for (const host of others) asked = asked.catch(() => ask(host, applicationName));
  await asked;
}

async function ask(host: Secret, applicationName: string): Promise<void> {
  const client = await connect(host, applicationName, { query_timeout: PATIENCE_MILLISECONDS });
  try {
    // A pooler accepts connections even if the database is gone or hangs.
    await client.query("SELECT");
  } catch (cause) {
    throw noAnswer(cause);
  } finally {
    await client.end();
  }
}

function noAnswer(cause: unknown): SeedRefusal {
  return new SeedRefusal("no_database", whyNone(cause), { cause });
}

function whyNone(cause: unknown): string {
  if (cause instanceof pg.DatabaseError) return `the database refuses: ${cause.message}`;
  // A server that answers without the requested TLS, or with an untrusted certificate, is there.
  if (cause instanceof Error && !isDatabaseUnavailable(cause))
    return `no connection to the database: ${cause.message}`;
  return "the database does not answer; is the sandbox running?";
}
