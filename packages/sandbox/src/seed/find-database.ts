import { readFile } from "node:fs/promises";
import { Secret } from "@cobs/service-edge/configuration";
import { SeedRefusal } from "./seed-refusal.ts";

/** Where the URL of the database may stand, the first that is given counting. */
export type DatabaseNames = {
  /** A file that holds it. */
  readonly urlFile: string | undefined;
  readonly url: string | undefined;
  /** The file of the sandbox in its folder. */
  readonly sandboxUrlFile: string;
};

/** Finds the URL of the database of the resource server. Refuses with `usage` or `no_database`. */
export async function findDatabase({ urlFile, url, sandboxUrlFile }: DatabaseNames): Promise<Secret> {
  if (urlFile !== undefined) return readUrl(urlFile, new SeedRefusal("usage", `${urlFile} cannot be read`));
  if (url !== undefined && url !== "") return new Secret(url);
  const hint = "start one with npm start, or name its database with --database-url-file";
  return readUrl(sandboxUrlFile, new SeedRefusal("no_database", `there is no sandbox; ${hint}`));
}

async function readUrl(file: string, refusal: SeedRefusal): Promise<Secret> {
  try {
    return new Secret((await readFile(file, "utf8")).trim());
  } catch {
    throw refusal;
  }
}
