import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { expect } from "chai";
import { startProgram } from "../../../support/program.ts";
import { makeServiceEnvironments } from "../../../support/service-environments.ts";
import { createMigratedTestDatabase } from "../../../support/test-databases.ts";
import { temporaryFolder } from "../../../support/test-listener.ts";

describe("the log of a service in several processes", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it("says in each line which of them wrote it, and of one alone nothing", async () => {
    const { auth } = await makeServiceEnvironments(folder.path);
    const environment = { ...auth, DATABASE_URL: await createMigratedTestDatabase(MIGRATIONS_DIRECTORY) };
    for (const [processes, numbers] of [
      [1, [undefined]],
      [2, [1, 2]],
    ] as const) {
      const commandLine = ["--processes", String(processes)];
      const service = startProgram("packages/auth/src/main.ts", commandLine, environment);
      try {
        await service.says("stdout", new RegExp(`("msg":"ready"[^]*){${processes}}`));
      } finally {
        service.child.kill("SIGTERM");
      }
      const { stdout } = await service.ended();
      const lines: Record<string, unknown>[] = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const ready = lines.filter(({ msg }) => msg === "ready");
      expect(ready.map(({ process }) => process).sort()).to.deep.equal(numbers);
    }
  }).timeout(60_000);
});
