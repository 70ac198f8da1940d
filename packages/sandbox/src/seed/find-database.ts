import { readFile } from "node:fs/promises";
import { parseDatabasePlace, Secret } from "@cobs/service-edge/configuration";
import { SeedRefusal } from "./seed-refusal.ts";

/** Where the URL of the database may be given; the first one counts. */
export type DatabaseNames = {
  /** A file with the URL. */
  readonly urlFile: string | undefined;
  readonly url: string | undefined;
  /** The file in the sandbox's folder. */
  readonly sandboxUrlFile: string;
};

/** Finds the URL of the database of the resource server. Refuses with `usage` or `no_database`. */
export async function findDatabase({ urlFile, url, sandboxUrlFile }: DatabaseNames): Promise<Secret> {
  if (urlFile !== undefined) return readUrl(urlFile, new SeedRefusal("usage", `${urlFile} cannot be read`));
  if (url !== undefined && url !== "") return requireUrl(url, "RESOURCE_DATABASE_URL");
  const hint = "start one with npm start, or name a database with RESOURCE_DATABASE_URL";
  return readUrl(
    sandboxUrlFile,
    new SeedRefusal("no_database", `there is no sandbox with ${sandboxUrlFile}; ${hint}`),
  );
}

async function readUrl(file: string, refusal: SeedRefusal): Promise<Secret> {
  const text = await readFile(file, "utf8").catch(() => {
    throw refusal;
  });
  return requireUrl(text.trim(), `what ${file} holds`);
}

/** Parses the URL; messages repeat none of it, because it may hold a password. */
function requireUrl(text: string, place: string): Secret {
  try {
    parseDatabasePlace(text);
    return new Secret(text);
  } catch (error) {
    throw new SeedRefusal("usage", `${place} ${error instanceof Error ? error.message : "is not a URL"}`);
  }
}
