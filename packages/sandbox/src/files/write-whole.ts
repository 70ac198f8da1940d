import { copyFile, rename, writeFile } from "node:fs/promises";

/** Writes a file of the given mode; a reader sees the old one or the new one, never a part. */
export async function writeWhole(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await writeFile(`${file}.new`, content, { mode });
  await rename(`${file}.new`, file);
}

/** Copies a file with its mode; a reader of the copy sees the old one or the new one, never a part. */
export async function copyWhole(source: string, file: string): Promise<void> {
  await copyFile(source, `${file}.new`);
  await rename(`${file}.new`, file);
}
