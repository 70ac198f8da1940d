/**
 * The release before this one, as an operator has it who has not upgraded yet: its processes, on the schema that it knows.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runner } from "node-pg-migrate";
import { MIGRATIONS_DIRECTORY as AUTH_MIGRATIONS } from "../../../packages/auth/src/migrations-directory.ts";
import { MIGRATIONS_DIRECTORY as RESOURCE_MIGRATIONS } from "../../../packages/resource/src/migrations-directory.ts";
import type { ServiceName } from "../../../packages/sandbox/src/start/service-program.ts";
import { buildRelease } from "../../topology/build-release.ts";
import type { Topology } from "../../topology/start-topology.ts";

/**
 * The first release that drains, so that between it and this one lies as much schema as can be. One that is older closes its
 * ports in the moment of SIGTERM and loses what is on its way to it on kept connections, whatever runs beside it: 7 of 11,788
 * calls in 16 ends of c2a01cb, with no other release there, and under the same load 0 of 17,404 in 16 ends of this one.
 */
export const RELEASE_BEFORE = "22883b1";

/** What upgrading from it means. */
export interface ReleaseBefore {
  /** Folder of its built tree. */
  readonly root: string;
  /** The migrations that it does not know, of both services. */
  readonly newer: readonly string[];
}

const MIGRATIONS: Readonly<Record<ServiceName, string>> = {
  auth: AUTH_MIGRATIONS,
  resource: RESOURCE_MIGRATIONS,
};
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Puts it in the place of every member, and takes its schema back to what it knows. Nobody may be calling. */
export async function installReleaseBefore(topology: Topology, directory: string): Promise<ReleaseBefore> {
  const root = await buildRelease(RELEASE_BEFORE, directory);
  await Promise.all(topology.members.map((member) => topology.restart(member, root)));
  const { databases } = topology.document;
  const auth = await takeBack("auth", databases.auth, root);
  const resource = await takeBack("resource", databases.resource, root);
  return { root, newer: [...auth, ...resource] };
}

/** Undoes what is newer, the newest first. */
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
