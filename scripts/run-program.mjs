/**
 * `npm start` and the other commands: runs a program of a package, such as `sandbox/start/main`, as it is built of the
 * sources of this moment. Where that cannot be built, without a compiler or in a folder of somebody else, it is run from its
 * sources, which takes longer.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ROOT } from "./ensure-built.mjs";

const [program = "", ...commandLine] = process.argv.slice(2);
const [name, ...path] = program.split("/");
const file = (folder, extension) => join(ROOT, "packages", name, folder, `${path.join("/")}.${extension}`);

/** Runs the sources in a process that is ended as we are, and ends as it does. */
function runFromSources() {
  const options = [...process.execArgv, "--conditions=source", "--import", "tsx"];
  const child = spawn(process.execPath, [...options, file("src", "ts"), ...commandLine], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("exit", (code) => process.exit(code ?? 1));
}

if (ensureBuilt()) {
  // A service is no command: it has its own way to its log, and does not end for it. Nor is the sandbox, which stops its services.
  if (!["main", "start/main"].includes(path.join("/"))) {
    const { endWithReader } = await import("../packages/service-edge/dist/lifecycle/end-with-reader.js");
    endWithReader([process.stdout, process.stderr]);
  }
  const main = file("dist", "js");
  process.argv.splice(1, process.argv.length, main, ...commandLine);
  await import(pathToFileURL(main).href);
} else runFromSources();
