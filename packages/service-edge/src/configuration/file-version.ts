import { stat } from "node:fs/promises";

/**
 * What tells one state of a file from the next without reading it. A path that leads through symbolic links is followed,
 * so that a file replaced by a rename, and one whose folder is a link that was switched, are new. Rejects when it is gone.
 */
export async function fileVersion(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}
