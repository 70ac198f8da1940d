import { readFile } from "node:fs/promises";

/**
 * Reads a file that can be made anew; undefined if it is missing or not JSON: a machine that lost power may have left it
 * empty.
 */
export async function readKeptJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
