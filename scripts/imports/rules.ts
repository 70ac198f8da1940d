/**
 * The import walls of the repository: which package may import which, which files may import Koa, `oidc-provider`, `pg` and
 * `ioredis`, which may read the environment, and what leaf packages may use.
 */
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { withoutComments } from "./without-comments.ts";

/** Each package, with the packages of ours that it may import. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "psd2-certificates": [],
  "cobs-model": [],
  "service-edge": [],
  auth: ["psd2-certificates", "cobs-model", "service-edge"],
  resource: ["psd2-certificates", "cobs-model", "service-edge"],
  sandbox: ["psd2-certificates", "cobs-model", "service-edge", "auth", "resource"],
};

/** Modules that only some files may import: a pattern for the module's name, and one for the file's path. */
const GUARDED: readonly { readonly module: RegExp; readonly files: RegExp; readonly where: string }[] = [
  {
    module: /^(koa(-[^/]+)?(\/|$)|@koa\/)/,
    files: /^packages\/(service-edge|auth|resource)\/src\/http\//,
    where: "src/http of service-edge, auth and resource",
  },
  {
    module: /^oidc-provider(\/|$)/,
    files: /^packages\/auth\/src\/provider\//,
    where: "packages/auth/src/provider",
  },
  {
    module: /^(pg|pg-[^/]+|node-pg-migrate)(\/|$)/,
    files: /^packages\/service-edge\/|-postgres\.ts$/,
    where: "service-edge and files named *-postgres.ts",
  },
  {
    module: /^@opentelemetry\//,
    files: /^packages\/service-edge\/src\/tracing\/open-spans\.ts$/,
    where: "service-edge's open-spans.ts, which is loaded only where traces are asked for",
  },
  {
    module: /^ioredis(\/|$)/,
    files: /^packages\/service-edge\/|-redis\.ts$/,
    where: "service-edge and files named *-redis.ts",
  },
  {
    module: /^(node:)?process$/,
    files: /\/main\.ts$/,
    where: "main.ts, as the environment is read there",
  },
];

/** Leaf packages use no network, files or processes. The one exception is the second reader, which is a thread. */
const LEAVES = /^packages\/(psd2-certificates|cobs-model)\//;
const SECOND_READER = /^packages\/psd2-certificates\/src\/second-reader\//;
const LEAF_MAY_IMPORT = /^node:crypto$/;
const SECOND_READER_MAY_IMPORT = /^node:(crypto|module|worker_threads)$/;

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\b\s*(?:[^"';]*?(?:\s|\})from\s*)?["']([^"']+)["']|\b(?:import|require|createRequire\([^()]*\))\s*\(\s*["'`]([^"'`]+)["'`]/g;

/** Matches a read of the environment: as a member, destructured from the process, or through an alias of `process`. */
const ENVIRONMENT = new RegExp(
  [
    /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*(?:\?\.\s*)?\[/,
    /\{[^;()]*\benv\b[^;()]*\}\s*=\s*(?:globalThis\s*\??\.\s*)?process\b(?!\s*\??\.)/,
    /\b(?:const|let|var)\s+\w+\s*(?::[^=;]*)?=\s*(?:globalThis\s*\??\.\s*)?process\s*;/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);
const OUTSIDE_GLOBAL =
  /(?<![.\w])(?:WebSocket|EventSource)\s*\(|\bglobalThis\s*\??\.\s*(?:fetch|WebSocket|EventSource|process)\b|(?<![.\w])process\s*\??\.\s*[a-z]/g;
const OUTSIDE_GLOBAL_TEXT = "a leaf package knows no network and no process";
const FETCH = /(?<![.\w])fetch\s*\(/g;
/** Matches a file whose `fetch` is a parameter or a local constant, and not the global one. */
const GIVEN_FETCH = /\bfetch\s*\??[:,]|\bconst fetch\b/;

/** One violation of the rules, and where it is. */
export interface Breach {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

function breachOfDirection(file: string, module: string): string | undefined {
  const own = file.split("/")[1] ?? "";
  if (module.startsWith(".")) {
    const target = posix.join(posix.dirname(file), module);
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
  if (!LEAVES.test(file) || !isBuiltin(module)) return undefined;
  const allowed = SECOND_READER.test(file) ? SECOND_READER_MAY_IMPORT : LEAF_MAY_IMPORT;
  return allowed.test(module) ? undefined : `a leaf package may not import ${module}`;
}

/** Finds every violation in a file; `file` is its path from the root. */
export function breachesOf(file: string, source: string): readonly Breach[] {
  const { code, bare } = withoutComments(source);
  const at = (index: number, text: string) => ({ file, line: code.slice(0, index).split("\n").length, text });
  const found = (pattern: RegExp, text: string) =>
    [...bare.matchAll(pattern)].map((match) => at(match.index, text));
  const imports = [...code.matchAll(IMPORT)].flatMap((match) => {
    const module = match[1] ?? match[2] ?? "";
    const texts = [breachOfDirection(file, module), breachOfGuard(file, module)];
    const start = match.index + match[0].search(/\S/);
    return texts.filter((text) => text !== undefined).map((text) => at(start, text));
  });
  const environment = file.endsWith("/main.ts") ? [] : found(ENVIRONMENT, "only main.ts reads process.env");
  const outside = LEAVES.test(file) && !SECOND_READER.test(file);
  const patterns = GIVEN_FETCH.test(bare) ? [OUTSIDE_GLOBAL] : [OUTSIDE_GLOBAL, FETCH];
  const globals = outside ? patterns.flatMap((pattern) => found(pattern, OUTSIDE_GLOBAL_TEXT)) : [];
  return [...imports, ...environment, ...globals];
}
