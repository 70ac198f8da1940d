import { createLog, Secret } from "@cobs/service-edge/database";
import { expect } from "chai";
import { withDatabase } from "../../../packages/sandbox/src/start/seed-sandbox.ts";
import { createTestDatabase } from "../../support/test-databases.ts";

const log = createLog("test", "error", { write: () => undefined });
/** Several times what the entries of the demo bank take where a machine has twenty other things to do. */
const PLENTY_MILLISECONDS = 30_000;

describe("Filling of a sandbox's database", () => {
  it("is not given up and restarted after the time limit of a service's calls", async () => {
    const url = new Secret(await createTestDatabase());
    const databases = {
      urls: { auth: url, resource: url },
      embedded: [],
      passwords: { auth: "", resource: "" },
    };
    const limits = `SELECT setting::int FROM pg_settings
      WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout')`;
    const rows = await withDatabase("resource", { databases, log }, (database) =>
      database.run<{ setting: number }>({ name: "", text: limits, values: [] }),
    );
    expect(rows).to.have.lengthOf(2);
    for (const { setting } of rows) expect(setting).to.be.above(PLENTY_MILLISECONDS);
  });
});
