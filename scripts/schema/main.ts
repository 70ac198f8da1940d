/** The second half of `npm run docs`: writes the schema files of both services, from databases made for that purpose. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createLog, migrateDatabase, Secret } from "@cobs/service-edge";
import { ensureDatabase } from "../../packages/sandbox/src/postgres/ensure-database-postgres.ts";
import { startEmbeddedPostgres } from "../../packages/sandbox/src/postgres/start-embedded-postgres.ts";
import { SERVICES, schemaFile, writeSchema } from "./schema-file.ts";

const ROOT = resolve(import.meta.dirname, "../..");

const directory = await mkdtemp(join(tmpdir(), "cobs-schema-"));
const server = await startEmbeddedPostgres({ directory, durability: "none" });
try {
  for (const service of ["auth", "resource"] as const) {
    const url = await ensureDatabase(server, { name: service, role: service, password: randomUUID() });
    await migrateDatabase({
      url: new Secret(url),
      directory: SERVICES[service],
      log: createLog("docs", "error"),
    });
    await writeFile(join(ROOT, schemaFile(service)), await writeSchema(service, url));
  }
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
