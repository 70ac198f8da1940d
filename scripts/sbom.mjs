/**
 * `npm run sbom -- [auth] [resource] [--output FILE]`: the software bill of materials of the services' production
 * dependencies, both unless one is named, as CycloneDX JSON. npm makes it of what is installed; what it would tell of this
 * machine, where packages lie and which registry they came from, is left out.
 */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import {
  createCommand,
  readCommandLine,
  WrongUsage,
} from "../packages/sandbox/src/terminal/read-command-line.ts";

const SERVICES = ["auth", "resource"];
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const COMMAND = createCommand(
  "npm run sbom",
  "Prints the production dependencies of the services as CycloneDX JSON.",
)
  .argument("[services...]", `${SERVICES.join(", ")}; default: both`)
  .option("--output <file>", "write it to this file instead of standard output")
  .addHelpText("after", "\nExit codes: 0 done, 1 it could not be made, 2 wrong usage.");

const { chosen, output } = await readCommandLine(COMMAND, (options, names) => {
  const unknown = names.filter((name) => !SERVICES.includes(name));
  if (unknown.length > 0)
    throw new WrongUsage(`unknown service ${unknown.join(", ")}; the services are ${SERVICES.join(" and ")}`);
  return { ...options, chosen: names.length > 0 ? names : SERVICES };
});

function fail(message) {
  process.stderr.write(`npm run sbom: ${message}\n`);
  process.exit(1);
}

function askNpm(services) {
  // Not --omit=dev: it leaves out what the tests use as well.
  const workspaces = services.map((name) => `--workspace=packages/${name}`);
  const options = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", ...workspaces];
  const asked = spawnSync("npm", options, { encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES });
  if (asked.status !== 0) fail(`npm could not list what is installed:\n${asked.stderr}`);
  return JSON.parse(asked.stdout);
}

/** The references of everything that the services need to run, themselves included. */
function neededBy(services, { components, dependencies }) {
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn]));
  const starts = components.filter(({ purl }) => services.some((name) => nameOf(purl) === `@cobs/${name}`));
  const needed = new Set(starts.map((component) => component["bom-ref"]));
  for (const ref of needed) for (const next of dependsOn.get(ref) ?? []) needed.add(next);
  return needed;
}

const nameOf = (purl) => decodeURIComponent(/^pkg:npm\/(.+)@[^@]+$/.exec(purl)?.[1] ?? purl);

/** Of where a component comes from, what its author says; not where this machine got it, nor where it lies. */
function withoutMachine({ properties: _path, externalReferences = [], ...component }) {
  return {
    ...component,
    // npm names what is made here after its folder.
    name: nameOf(component.purl),
    externalReferences: externalReferences.filter(({ type }) => type !== "distribution"),
  };
}

// Before npm is asked, which takes a while; what the file holds stays until there is something better.
if (output !== undefined) orFail(output, () => closeSync(openSync(output, "a")));
const document = askNpm(chosen);
const needed = neededBy(chosen, document);
const text = `${JSON.stringify(
  {
    ...document,
    metadata: { ...document.metadata, component: withoutMachine(document.metadata.component) },
    components: document.components
      .filter((component) => needed.has(component["bom-ref"]))
      .map(withoutMachine),
    dependencies: document.dependencies.filter(({ ref }) => needed.has(ref)),
  },
  null,
  2,
)}\n`;
if (output === undefined) process.stdout.write(text);
else orFail(output, () => writeFileSync(output, text));

function orFail(file, write) {
  try {
    write();
  } catch (error) {
    fail(`${file} cannot be written (${error.code})`);
  }
}
