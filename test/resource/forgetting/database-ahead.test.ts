import { eventually } from "../../support/eventually.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../support/movable-database-clock.ts";
import { type RunningResource, runResource } from "../running-resource.ts";

describe("a database whose clock alone is far ahead", function ahead() {
  this.timeout(60_000);
  let clock: DatabaseWithMovableClock;
  let resource: RunningResource;
  before(async () => {
    clock = await createDatabaseWithMovableClock();
    resource = await runResource({ DATABASE_URL: clock.url });
  });
  after(() => resource.stop());

  it("has no payments and no balance checks deleted, which are not back when it is set right", async () => {
    await clock.advanceDays(400);
    for (const told of ["old payments could not be deleted", "old balance checks could not be deleted"])
      await eventually(() => resource.logLines.some(({ msg }) => msg === told), 20_000);
  });
});
