import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "../..");
const MOST_OCTETS = 64 * 1024 * 1024;

/** Builds a commit of this repository in its own folder, with the libraries of that commit; returns the folder. */
export async function buildRelease(commit: string, directory: string): Promise<string> {
  const { stdout: archive } = await run("git", ["archive", "--format=tar", commit], {
    cwd: ROOT,
    encoding: "buffer",
    maxBuffer: MOST_OCTETS,
  });
  await mkdir(directory, { recursive: true });
  const untar = run("tar", ["-x", "-C", directory]);
  untar.child.stdin?.end(archive);
  await untar;
  for (const words of [
    ["ci", "--ignore-scripts", "--silent", "--prefer-offline"],
    ["run", "--silent", "build"],
  ])
    await run("npm", words, { cwd: directory, maxBuffer: MOST_OCTETS });
  return directory;
}
