import { Client, escapeIdentifier, escapeLiteral } from "pg";
import { connectionUrl, type PostgresServer } from "./postgres-server.ts";

/** A database with the one role that may use it. */
export interface DatabaseOwner {
  readonly name: string;
  readonly role: string;
  readonly password: string;
}

// One process at a time: CREATE has no "if not exists" for roles and databases.
const MAKER_LOCK = 7_264_011;

/**
 * Creates the role and its database (UTF-8, C collation) if missing, sets the password, and lets nobody else connect. Returns
 * the role's connection URL. May be repeated, even by several processes at once.
 */
export async function ensureDatabase(
  server: Pick<PostgresServer, "superuserUrl" | "port">,
  owner: DatabaseOwner,
): Promise<string> {
  // The server has no TLS; without this option PGSSLMODE of the environment would apply.
  const client = new Client({ connectionString: server.superuserUrl(), ssl: false });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MAKER_LOCK]);
    await ensureRole(client, owner);
    await ensureOwned(client, owner);
  } finally {
    await client.end();
  }
  return connectionUrl(server.port, { role: owner.role, password: owner.password, database: owner.name });
}

async function ensureRole(client: Client, { role, password }: DatabaseOwner): Promise<void> {
  const found = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
  const verb = found.rowCount === 0 ? "CREATE" : "ALTER";
  const rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION";
  await client.query(`${verb} ROLE ${escapeIdentifier(role)} ${rights} PASSWORD ${escapeLiteral(password)}`);
}

async function ensureOwned(client: Client, { name, role }: DatabaseOwner): Promise<void> {
  const database = escapeIdentifier(name);
  const found = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
  if (found.rowCount === 0) {
    const options = "TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'";
    await client.query(`CREATE DATABASE ${database} OWNER ${escapeIdentifier(role)} ${options}`);
  }
  await client.query(`REVOKE ALL ON DATABASE ${database}, postgres FROM PUBLIC`);
}
