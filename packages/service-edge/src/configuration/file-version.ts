import { stat } from "node:fs/promises";

/**
 * Returns a text that identifies the state of a file without reading it. Symbolic links are followed, so that a file replaced
 * by a rename, or reached through a switched link, counts as new. Rejects when the file is missing.
 */
export async function fileVersion(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}
