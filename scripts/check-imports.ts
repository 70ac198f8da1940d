/**
 * Checks the walls of the repository: which package may import which, which files may import Koa, `oidc-provider`,
 * `pg` and `ioredis`, and which may read the environment. Prints every breach with its line and exits with 1.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "psd2-certificates": [],
  "cobs-model": [],
  "service-edge": [],
  auth: ["psd2-certificates", "cobs-model", "service-edge"],
  resource: ["psd2-certificates", "cobs-model", "service-edge"],
  sandbox: ["psd2-certificates", "cobs-model", "service-edge", "auth", "resource"],
};

/** Packages that only some files may import: a pattern of the module's name, and one of the file's path. */
const GUARDED: readonly { readonly module: RegExp; readonly files: RegExp; readonly where: string }[] = [
  {
    module: /^(koa|koa-helmet|@koa\/.*)$/,
    files: /^packages\/(service-edge|auth|resource)\/src\/http\//,
    where: "src/http of service-edge, auth and resource",
  },
  {
    module: /^oidc-provider/,
    files: /^packages\/auth\/src\/provider\//,
    where: "packages/auth/src/provider",
  },
  {
    module: /^(pg|pg-.*|node-pg-migrate)$/,
    files: /^packages\/service-edge\/|-postgres\.ts$/,
    where: "service-edge and files named *-postgres.ts",
  },
  {
    module: /^@opentelemetry\//,
    files: /^packages\/service-edge\/src\/tracing\/open-spans\.ts$/,
    where: "service-edge's open-spans.ts, which is loaded only where traces are asked for",
  },
  {
    module: /^ioredis$/,
    files: /^packages\/service-edge\/|-redis\.ts$/,
    where: "service-edge and files named *-redis.ts",
  },
];

/** Leaf packages know no network, no files, no processes. */
const LEAVES = /^packages\/(psd2-certificates|cobs-model)\//;
const OUTSIDE_WORLD = /^node:(http|https|http2|net|tls|fs|child_process|cluster|dgram|dns|process)(\/|$)/;

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

interface Breach {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function sourceFiles(): string[] {
  return Object.keys(MAY_IMPORT).flatMap((name) => {
    const folder = join(ROOT, "packages", name, "src");
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join("/"));
  });
}

function breachOfDirection(file: string, module: string): string | undefined {
  const own = file.split("/")[1] ?? "";
  if (module.startsWith(".")) {
    const target = relative(ROOT, resolve(ROOT, dirname(file), module))
      .split(sep)
      .join("/");
    return target.startsWith(`packages/${own}/`) ? undefined : `reaches out of its package to ${target}`;
  }
  const name = /^@cobs\/([^/]+)/.exec(module)?.[1];
  if (name === undefined || MAY_IMPORT[own]?.includes(name)) return undefined;
  return `${own} may not import ${name}`;
}

function breachOfGuard(file: string, module: string): string | undefined {
  const guard = GUARDED.find((candidate) => candidate.module.test(module));
  if (guard !== undefined && !guard.files.test(file))
    return `${module} may be imported only in ${guard.where}`;
  if (LEAVES.test(file) && OUTSIDE_WORLD.test(module)) return `a leaf package may not import ${module}`;
  return undefined;
}

function breachesOf(file: string): Breach[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const lineAt = (index: number) => source.slice(0, index).split("\n").length;
  const imports = [...source.matchAll(IMPORT)].flatMap((match) => {
    const module = match[1] ?? match[2] ?? "";
    return [breachOfDirection(file, module), breachOfGuard(file, module)]
      .filter((text) => text !== undefined)
      .map((text) => ({ file, line: lineAt(match.index), text }));
  });
  if (file.endsWith("/main.ts")) return imports;
  const environment = [...source.matchAll(/process\.env\b/g)].map((match) => ({
    file,
    line: lineAt(match.index),
    text: "only main.ts reads process.env",
  }));
  return [...imports, ...environment];
}

const files = sourceFiles();
const breaches = files.flatMap(breachesOf);
for (const { file, line, text } of breaches) process.stderr.write(`${file}:${line}: ${text}\n`);
process.stdout.write(`${files.length} files, ${breaches.length} breaches of the import rules\n`);
process.exit(breaches.length === 0 ? 0 : 1);
