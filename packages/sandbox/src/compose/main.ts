/**
 * The one-shots of `docker-compose.yml`: `prepare` writes what the containers read, `seed` fills the databases, `ready`
 * creates the application that works at once. Each may be repeated. They are for the sandbox only; a bank brings its own
 * files.
 */
import { resolve } from "node:path";
import { composeLayout } from "./compose-layout.ts";

const say = (line: string) => void process.stderr.write(`${line}\n`);
const [step = "", directory = "/sandbox"] = process.argv.slice(2);
const layout = composeLayout(resolve(directory));

// Each is loaded on demand: the first runs before there is a database.
const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  prepare: async () => (await import("./write-compose-files.ts")).writeComposeFiles(layout),
  seed: async () => (await import("./fill-compose.ts")).seedCompose(layout, say),
  ready: async () => (await import("./fill-compose.ts")).makeComposeReady(layout, say),
};

const run = STEPS[step];
if (run === undefined) {
  say(`unknown step ${step}; the steps are ${Object.keys(STEPS).join(", ")}`);
  process.exit(2);
}
await run();
say(`${step}: done`);
