import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Reads the text of a file of at most `limitOctets`. A wrong path does no harm: it does not wait for a pipe or load a disk
 * image. Rejects with a sentence that names the file.
 */
export async function readWholeFile(path: string, limitOctets: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is not a regular file`);
    if (found.size > limitOctets) throw new Error(`${path} has more than ${limitOctets} octets`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
