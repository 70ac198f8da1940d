/**
 * Builds the packages where a source has changed since they were built, and else costs a few hundredths of a second.
 * `npm ci` runs it too, so that a fresh clone starts at once. Ends the process when a source cannot be built.
 */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = resolve(import.meta.dirname, "..");

const PACKAGES = join(ROOT, "packages");
/** Its time is when the last build that succeeded had begun. */
const STAMP = join(PACKAGES, "sandbox/dist/.built");
/** Whoever has locked it builds: of several commands that were started at once, one after the other. */
const TURN = join(PACKAGES, "sandbox/.turn.tsbuildinfo");

const namesOfPackages = () =>
  readdirSync(PACKAGES).filter((name) => existsSync(join(PACKAGES, name, "tsconfig.json")));

/** The folders and files that a build reads; a folder changes when a file comes or goes. */
function* sourcesOf(name) {
  yield join(PACKAGES, name, "package.json");
  yield join(PACKAGES, name, "tsconfig.json");
  yield join(PACKAGES, name, "src");
  for (const path of readdirSync(join(PACKAGES, name, "src"), { recursive: true }))
    yield join(PACKAGES, name, "src", path);
}

/** Whether everything is built of the sources as they are. The time of change is asked, which no copying keeps. */
function isBuilt() {
  const { mtimeMs: builtAt } = statSync(STAMP, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  // Of an editor's own files some lead nowhere, and some are gone by now.
  const isOlder = (path) => (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) < builtAt;
  return (
    isOlder(join(ROOT, "tsconfig.json")) &&
    namesOfPackages().every(
      (name) => existsSync(join(PACKAGES, name, "dist")) && [...sourcesOf(name)].every(isOlder),
    )
  );
}

/** The compiler; undefined where an installation has no development dependencies. */
function findCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  } catch {
    return undefined;
  }
}

/** Opening a file with it on macOS waits for the lock; Node has no name for it. */
const O_EXLOCK = 0x20;

/** Opens the file whose lock is the turn; undefined where nothing may be written here. */
function openTurn() {
  const waiting = process.platform === "darwin" ? O_EXLOCK : 0;
  try {
    return openSync(TURN, constants.O_CREAT | constants.O_RDWR | waiting);
  } catch {
    return undefined;
  }
}

/**
 * Waits until nobody else builds, and gives the file that says so while it is open. The lock is the kernel's and belongs to the
 * open file, which the compiler has too: it is gone when both have ended, whoever killed them.
 */
function awaitTurn() {
  const file = openTurn();
  if (file === undefined || process.platform === "darwin") return file;
  const { signal } = spawnSync("flock", ["3"], { stdio: ["ignore", 2, 2, file] });
  // Where there is no flock, or a file system has no locks, everybody builds without waiting.
  if (signal !== null) process.exit(1);
  return file;
}

/** Builds what is not built yet; false where that needs a compiler and none is installed, or nothing may be written. */
export function ensureBuilt() {
  if (isBuilt()) return true;
  const compiler = findCompiler();
  if (compiler === undefined) return false;
  const turn = awaitTurn();
  if (turn === undefined) return false;
  // Somebody else may have built it meanwhile.
  if (!isBuilt()) build(compiler, turn);
  closeSync(turn);
  return true;
}

function build(compiler, turn) {
  const begun = join(PACKAGES, "sandbox/.begun.tsbuildinfo");
  writeFileSync(begun, "");
  const folders = namesOfPackages().map((name) => join(PACKAGES, name));
  // A package whose output somebody removed is taken for built by the compiler.
  const options = folders.every((folder) => existsSync(join(folder, "dist"))) ? [] : ["--force"];
  // What a program prints may be read by another one: the compiler speaks on standard error.
  const { status } = spawnSync(process.execPath, [compiler, "-b", ...options, ...folders], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2, turn],
  });
  if (status !== 0) process.exit(1);
  renameSync(begun, STAMP);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt();
