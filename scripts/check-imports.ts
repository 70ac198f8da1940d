/**
 * Checks every source of every package against the import rules; prints each violation with its line, and exits with 1 if there
 * is any.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { breachesOf, MAY_IMPORT } from "./imports/rules.ts";

const ROOT = resolve(import.meta.dirname, "..");

function sourceFiles(): string[] {
  return Object.keys(MAY_IMPORT).flatMap((name) => {
    const folder = join(ROOT, "packages", name, "src");
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"));
  });
}

const files = sourceFiles();
const breaches = files.flatMap((file) => breachesOf(file, readFileSync(join(ROOT, file), "utf8")));
for (const { file, line, text } of breaches) process.stderr.write(`${file}:${line}: ${text}\n`);
process.stdout.write(`${files.length} files, ${breaches.length} breaches of the import rules\n`);
process.exit(breaches.length === 0 ? 0 : 1);
