import { eventually } from "../support/eventually.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("a database whose clock alone is far ahead", function ahead() {
  this.timeout(120_000);
  let clock: DatabaseWithMovableClock;
  let resource: RunningResource;
  before(async () => {
    clock = await createDatabaseWithMovableClock();
    resource = await runResource({ DATABASE_URL: clock.url });
  });
  after(() => resource.stop());

  it("keeps its old rows, and the log says that they could not be deleted", async () => {
    await clock.advanceDays(400);
    for (const old of ["payments", "balance checks", "accesses"]) {
      const told = `old ${old} could not be deleted`;
      await eventually(() => resource.logLines.some(({ msg }) => msg === told));
    }
  });
});
