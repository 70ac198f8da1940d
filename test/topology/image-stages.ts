import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../sandbox/compose/compose-file.ts";

/** A stage of the Dockerfile, as far as plain processes can reproduce it. */
export interface ImageStage {
  readonly name: string;
  /** Another stage, or an external image. */
  readonly base: string;
  /** COPY and RUN, in order. */
  readonly steps: readonly ImageStep[];
  /** What a container runs by default: ENTRYPOINT and CMD of the stage itself. */
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

type ImageStep =
  | { readonly kind: "run"; readonly command: string }
  | {
      readonly kind: "copy";
      readonly from: string | undefined;
      readonly sources: readonly string[];
      readonly target: string;
    };

const WORKDIR = "/app/";
const VERBATIM = { recursive: true, verbatimSymlinks: true } as const;
const RUN_LIMIT_MILLISECONDS = 240_000;
/** Already done in this folder by whoever runs the tests. */
const INSTALL_EVERYTHING = "npm ci --ignore-scripts";

/** Reads the stages of `scripts/image/Dockerfile`. */
export function readImageStages(): readonly ImageStage[] {
  const text = readFileSync(resolve(ROOT, "scripts/image/Dockerfile"), "utf8");
  return text
    .split(/^(?=FROM )/m)
    .slice(1)
    .map(readStage);
}

function readStage(text: string): ImageStage {
  const lines = text.split("\n");
  const [, base = "", name = ""] = /^FROM (\S+) AS (\S+)/.exec(text) ?? [];
  const words = (instruction: string): readonly string[] => {
    const line = lines.find((each) => each.startsWith(`${instruction} [`));
    return line === undefined ? [] : JSON.parse(line.slice(instruction.length));
  };
  return {
    name,
    base,
    entrypoint: words("ENTRYPOINT"),
    command: words("CMD"),
    steps: lines.flatMap(readStep),
  };
}

function readStep(line: string): readonly ImageStep[] {
  const [instruction, ...words] = line.split(/\s+/);
  if (instruction === "RUN") return [{ kind: "run", command: words.join(" ") }];
  if (instruction !== "COPY") return [];
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  return [{ kind: "copy", from, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" }];
}

/**
 * Makes the stages in order, each in the folder of its name below `directory`: a COPY copies what `.dockerignore` allows, a RUN
 * of npm runs. A RUN that prepares the machine itself is left out.
 */
export async function makeImageStages(stages: readonly ImageStage[], directory: string): Promise<void> {
  for (const { name, base, steps } of stages) {
    const folder = join(directory, name);
    mkdirSync(folder, { recursive: true });
    if (existsSync(join(directory, base))) cpSync(join(directory, base), folder, { recursive: true });
    for (const step of steps)
      if (step.kind === "copy") copyInto(folder, step, directory);
      else if (step.command === INSTALL_EVERYTHING) linkModules(folder);
      else if (step.command.startsWith("npm ")) await runIn(folder, step.command);
  }
}

/** Links our own packages to the stage, where `@cobs` resolves them, and all others to this folder's. */
function linkModules(folder: string): void {
  const here = join(ROOT, "node_modules");
  const there = join(folder, "node_modules");
  mkdirSync(there);
  for (const name of readdirSync(here))
    if (name === "@cobs") cpSync(join(here, name), join(there, name), VERBATIM);
    else symlinkSync(join(here, name), join(there, name));
}

function copyInto(
  folder: string,
  { from, sources, target }: Extract<ImageStep, { readonly kind: "copy" }>,
  directory: string,
): void {
  const origin = from === undefined ? ROOT : join(directory, from);
  for (const source of sources) {
    const path = join(origin, source.replace(WORKDIR, ""));
    // As in Docker: a folder's content is copied, and a file goes into a target that ends with a slash.
    const into = statSync(path).isFile() && /(^\.|\/)$/.test(target);
    const to = into ? join(folder, target, basename(path)) : join(folder, target);
    mkdirSync(dirname(to), { recursive: true });
    // No step changes what an earlier stage made, so hard links suffice; they take a tenth of the time of a copy.
    if (from !== undefined) execFileSync("cp", ["--archive", "--link", "--no-target-directory", path, to]);
    else cpSync(path, to, { ...VERBATIM, filter: (each) => !isIgnored(relative(ROOT, each)) });
  }
}

const IGNORED = readFileSync(resolve(ROOT, ".dockerignore"), "utf8")
  .split("\n")
  .flatMap((line) => (line.startsWith("**/") ? [line.slice("**/".length)] : []));

function isIgnored(path: string): boolean {
  const name = basename(path);
  return IGNORED.some((pattern) =>
    pattern.startsWith("*") ? name.endsWith(pattern.slice(1)) : name === pattern,
  );
}

/** Does not fetch what npm has fetched before. */
async function runIn(cwd: string, command: string): Promise<void> {
  const { PATH = "/usr/bin:/bin", HOME = "/" } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: "true" };
  const options = { cwd, env, timeout: RUN_LIMIT_MILLISECONDS } as const;
  await promisify(execFile)("sh", ["-c", command], options).catch(({ stdout, stderr }) => {
    throw new Error(`${command} failed:\n${stdout}${stderr}`);
  });
}
