import { rename, writeFile } from "node:fs/promises";

/** Writes a text file of the given mode; a reader sees the old one or the new one, never a part. */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  await writeFile(`${file}.new`, text, { mode });
  await rename(`${file}.new`, file);
}
