import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { expect } from "chai";
import { type RunningProgram, startProgram } from "../../support/program.ts";
import { makeServiceEnvironments } from "../../support/service-environments.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";
import { temporaryFolder } from "../../support/test-listener.ts";

describe("the signals that a service hears", () => {
  const folder = temporaryFolder();
  let environment: Readonly<Record<string, string>>;
  before(async () => {
    const { auth } = await makeServiceEnvironments(folder.path);
    environment = { ...auth, DATABASE_URL: await createMigratedTestDatabase(MIGRATIONS_DIRECTORY) };
  });
  after(() => folder.remove());

  for (const processes of [1, 2]) {
    async function startReady(): Promise<RunningProgram> {
      const service = startProgram(
        "packages/auth/src/main.ts",
        ["--processes", String(processes)],
        environment,
      );
      await service.says("stdout", new RegExp(`("msg":"ready"[^]*){${processes}}`));
      return service;
    }

    it(`opens no debugger to whoever is on the machine (${processes})`, async () => {
      const service = await startReady();
      service.child.kill("SIGUSR1");
      // It would say so before it hears the next signal.
      service.child.kill("SIGTERM");
      const { exitCode, stderr } = await service.ended();
      expect(stderr).not.to.include("Debugger");
      expect(stderr).not.to.include("inspector");
      expect(exitCode).to.equal(0);
    });
  }
});
