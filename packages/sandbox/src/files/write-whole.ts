import { copyFile, mkdir, open, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { hasCode } from "../processes/error-codes.ts";

/** Writes a file of the given mode; a reader sees the old one or the new one, never a part. */
export async function writeWhole(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  await writeFile(`${file}.new`, content, { mode });
  await rename(`${file}.new`, file);
}

/**
 * Does the same for what cannot be made again, such as a key of what a database holds: once it resolves, the file outlasts a
 * power failure.
 */
export async function keepWhole(file: string, content: string | Uint8Array, mode: number): Promise<void> {
  // Flushed before the rename, which a file system may otherwise store first: the file would be empty.
  await writeFile(`${file}.new`, content, { mode, flush: true });
  await rename(`${file}.new`, file);
  await flushFolder(dirname(file));
}

/**
 * Makes the folder of a file that will be kept, and those above it, unless they exist, for the owner only; they outlast a power
 * failure too.
 */
export async function keepFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = resolve(folder); made !== dirname(resolve(first)); made = dirname(made))
    await flushFolder(dirname(made));
}

/**
 * Makes what was created and renamed in a folder outlast a power failure, unless its file system cannot flush folders, as that
 * of a folder shared with a virtual machine.
 */
export async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } catch (error) {
    if (!hasCode(error, "EINVAL")) throw error;
  } finally {
    await opened.close();
  }
}

/** Copies a file with its mode; a reader of the copy sees the old one or the new one, never a part. */
export async function copyWhole(source: string, file: string): Promise<void> {
  await copyFile(source, `${file}.new`);
  await rename(`${file}.new`, file);
}
