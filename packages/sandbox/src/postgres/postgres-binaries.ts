import { cp, lstat, mkdir, readlink, symlink, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ifMissing } from "../processes/error-codes.ts";
import type { ClusterLayout } from "./cluster-layout.ts";

/** A library under another name; both paths are relative to the root of the binaries. */
export interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** An installation of PostgreSQL: `bin` and the folders beside it, below one root. */
export interface PostgresBinaries {
  readonly root: string;
  /** Links that the binaries need and may lack; empty for a system installation. */
  readonly links: readonly LibraryLink[];
}

/** The installation with its programs in `bin`, for example `/usr/lib/postgresql/15/bin`. */
export function installedBinaries(bin: string): PostgresBinaries {
  return { root: dirname(bin), links: [] };
}

/**
 * Makes the library links in our own folder: npm drops links from packages, and install scripts that restore them may be
 * switched off. The package's folder is never written to.
 */
export async function linkLibraries(binaries: PostgresBinaries, layout: ClusterLayout): Promise<void> {
  if (binaries.links.length === 0) return;
  await mkdir(layout.libraries, { recursive: true });
  for (const link of binaries.links) {
    await replaceLink(join(layout.libraries, basename(link.target)), join(binaries.root, link.source));
  }
}

/** The command that runs a program of the installation with its libraries. */
export function programCommand(
  binaries: PostgresBinaries,
  layout: ClusterLayout,
  program: "initdb" | "postgres",
): readonly string[] {
  const path = join(binaries.root, "bin", program);
  if (binaries.links.length === 0) return [path];
  const name = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return ["/usr/bin/env", `${name}=${layout.libraries}:${join(binaries.root, "lib")}`, path];
}

/** Copies the installation into our own folder, for a user who cannot reach the original. */
export async function copyBinaries(
  binaries: PostgresBinaries,
  layout: ClusterLayout,
): Promise<PostgresBinaries> {
  await cp(binaries.root, layout.binaries, { recursive: true, force: true, verbatimSymlinks: true });
  return { root: layout.binaries, links: binaries.links };
}

async function replaceLink(path: string, target: string): Promise<void> {
  if ((await linkTarget(path)) === target) return;
  await unlink(path).catch(ifMissing(undefined));
  await symlink(target, path).catch(async (error: unknown) => {
    // Another process may have made it meanwhile.
    if ((await linkTarget(path)) !== target) throw error;
  });
}

async function linkTarget(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  return entry?.isSymbolicLink() ? readlink(path) : undefined;
}
