import { readFile } from "node:fs/promises";

/**
 * What a file holds that can be made anew; undefined where it is missing, or is no JSON: what a machine wrote before it lost
 * its power may be empty.
 */
export async function readKeptJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
