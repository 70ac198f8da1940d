/** The previous release, as run by an operator who has not upgraded yet: its processes, on the schema that it knows. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runner } from "node-pg-migrate";
import { MIGRATIONS_DIRECTORY as AUTH_MIGRATIONS } from "../../../packages/auth/src/migrations-directory.ts";
import { MIGRATIONS_DIRECTORY as RESOURCE_MIGRATIONS } from "../../../packages/resource/src/migrations-directory.ts";
import type { ServiceName } from "../../../packages/sandbox/src/start/service-program.ts";
import { buildRelease } from "../../topology/build-release.ts";
import type { Topology } from "../../topology/start-topology.ts";

/**
 * The first release that drains, so that as much schema change as possible lies between it and this one. An older one closes
 * its ports at the moment of SIGTERM and loses calls in flight on kept connections, whatever runs beside it: 7 of 11,788 calls
 * in 16 ends of c2a01cb, with no other release there, and under the same load 0 of 17,404 in 16 ends of this one.
 */
export const RELEASE_BEFORE = "22883b1";

/** What an upgrade from it involves. */
export interface ReleaseBefore {
  /** Folder of its built tree. */
  readonly root: string;
  /** Migrations of both services that it does not know. */
  readonly newer: readonly string[];
}

const MIGRATIONS: Readonly<Record<ServiceName, string>> = {
  auth: AUTH_MIGRATIONS,
  resource: RESOURCE_MIGRATIONS,
};
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Replaces every member by it, and reverts the schema to what it knows. Nobody may be calling. */
export async function installReleaseBefore(topology: Topology, directory: string): Promise<ReleaseBefore> {
  const root = await buildRelease(RELEASE_BEFORE, directory);
  await Promise.all(topology.members.map((member) => topology.restart(member, root)));
  const { databases } = topology.document;
  const auth = await takeBack("auth", databases.auth, root);
  const resource = await takeBack("resource", databases.resource, root);
  return { root, newer: [...auth, ...resource] };
}

/** Reverts the newer migrations, the newest first. */
async function takeBack(service: ServiceName, databaseUrl: string, root: string): Promise<readonly string[]> {
  const dir = MIGRATIONS[service];
  const known = new Set(await readdir(join(root, "packages", service, "migrations")));
  const newer = (await readdir(dir)).filter((file) => file.endsWith(".sql") && !known.has(file)).sort();
  for (const name of newer.toReversed())
    await runner({
      databaseUrl,
      dir,
      direction: "down",
      file: name.replace(/\.sql$/, ""),
      migrationsTable: "schema_migration",
      checkOrder: false,
      logger: QUIET,
    });
  return newer.map((name) => `${service} ${name}`);
}
