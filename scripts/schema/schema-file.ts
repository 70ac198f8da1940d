import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Client } from "pg";
import { MIGRATIONS_DIRECTORY as OF_AUTH } from "../../packages/auth/src/migrations-directory.ts";
import { MIGRATIONS_DIRECTORY as OF_RESOURCE } from "../../packages/resource/src/migrations-directory.ts";
import { RETENTION } from "../operations/retention.ts";
import { describeSchema } from "./describe-schema.ts";

/** Services with a database, each with the folder of its migrations. */
export const SERVICES = { auth: OF_AUTH, resource: OF_RESOURCE } as const;
export type Service = keyof typeof SERVICES;

const DOWN = "-- Down Migration";
const NUMBER = /^\d+/;

/** File that describes a service's schema, as a path from the root of the repository. */
export const schemaFile = (service: Service) => join("packages", service, "schema.sql");

/** Returns the text of that file, from a database that holds only the migrated schema. */
export async function writeSchema(service: Service, databaseUrl: string): Promise<string> {
  const migrations = readMigrations(SERVICES[service]);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return `${head(service)}\n${await describeSchema(client, (table) => aboutTable(service, table, migrations))}`;
  } finally {
    await client.end();
  }
}

function head(service: Service): string {
  return `-- The database of ${service} as all its migrations leave it, to be read: no program does. Why a table or an index is as it is
-- stands in the migrations that are named above it. Written by \`npm run docs\`, and held against the migrations by a test.
`;
}

interface Migration {
  readonly number: string;
  /** Change to the schema that the migrations before it produce. */
  readonly up: string;
}

function readMigrations(directory: string): readonly Migration[] {
  const files = readdirSync(directory).filter((file) => file.endsWith(".sql"));
  return files.sort().map((file) => {
    const [number = ""] = NUMBER.exec(basename(file)) ?? [];
    const [up = ""] = readFileSync(join(directory, file), "utf8").split(DOWN);
    return { number, up };
  });
}

function aboutTable(service: Service, table: string, migrations: readonly Migration[]): string {
  const kept = RETENTION.find((each) => each.service === service && each.table === table);
  if (kept === undefined)
    throw new Error(`${service}: the table of retention does not say how long ${table} is kept`);
  const naming = new RegExp(`\\b(?:TABLE|ON) ${table}\\b`);
  const numbers = migrations.filter(({ up }) => naming.test(up)).map(({ number }) => number);
  return `Owner: ${kept.owner}. Kept: ${kept.bound}. Migrations ${numbers.join(", ")}.`;
}
