import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { MIGRATIONS_DIRECTORY } from "@cobs/resource";
import { expect } from "chai";
import { writeWhole } from "../../../packages/sandbox/src/files/write-whole.ts";
import { DOCUMENT_VERSION } from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { sandboxLayout } from "../../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createMigratedTestDatabase } from "../../support/test-databases.ts";
import { seedRuns } from "./seed-runs.ts";

const CORE = "https://localhost:9555/";
const ORDER = "--transactions 100 --psu jana";

describe("npm run seed beside a sandbox with a core system", function program() {
  this.timeout(60_000);
  const { path, remove } = temporaryFolder();
  let url: string;
  before(async () => {
    url = await createMigratedTestDatabase(MIGRATIONS_DIRECTORY);
  });
  after(remove);
  const { run } = seedRuns(() => ({ url, path }));

  /** What is said of it beside a sandbox that was started so, in whose database it is or in a named one. */
  async function toldBeside(core: string | null | undefined, named = ""): Promise<string | undefined> {
    const layout = sandboxLayout(join(path, "sandbox"));
    mkdirSync(dirname(layout.databaseUrl.resource), { recursive: true });
    await writeWhole(layout.databaseUrl.resource, url, 0o600);
    await writeWhole(layout.document, JSON.stringify({ version: DOCUMENT_VERSION, core }), 0o600);
    const changes = { RESOURCE_DATABASE_URL: named, SANDBOX_DIRECTORY: layout.directory };
    const { exitCode, stderr } = await run(ORDER, changes);
    expect(exitCode, stderr).to.equal(0);
    return /^The sandbox was started .*$/m.exec(stderr)?.[0];
  }

  it("says that TPPs see nothing of it when resource asks another core system", async () => {
    expect(await toldBeside(CORE)).to.equal(
      `The sandbox was started with SANDBOX_CORE: resource asks ${CORE}, which does not have these accounts.`,
    );
  });

  it("says nothing of that when resource asks the demo bank, or another database is named", async () => {
    for (const core of [null, undefined]) expect(await toldBeside(core)).to.equal(undefined);
    expect(await toldBeside(CORE, url)).to.equal(undefined);
  });
});
