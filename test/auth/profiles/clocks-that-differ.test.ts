import { expect } from "chai";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../support/movable-database-clock.ts";
import { type MovableDate, movableDate } from "../../support/movable-date.ts";
import { expectError } from "../expect-error.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { type Fapi2Application, postAs, registerWithKey } from "./fapi2-application.ts";

const LIFETIME_SECONDS = 600;
/** Less than the tolerance for the TPP's own clock: an assertion is still accepted so long after its end. */
const LATE_SECONDS = 10;
const DIFFERENCES_SECONDS = [0, 120, 240];

/** Processes differ only in their clocks, so one that changes its own stands for all of them. */
describe("Processes of auth whose clocks differ", function differingClocks() {
  this.timeout(120_000);
  let databaseClock: DatabaseWithMovableClock;
  let auth: RunningAuth;
  let date: MovableDate;
  before(async () => {
    databaseClock = await createDatabaseWithMovableClock();
    auth = await runAuth({}, undefined, { ownDatabase: databaseClock.url });
  });
  after(() => auth.stop());
  beforeEach(() => {
    date = movableDate();
  });
  afterEach(() => date.restore());

  /** A call that succeeds for whoever is believed (RFC 7009 2.2). */
  const revoke = (application: Fapi2Application, credentials: Readonly<Record<string, string>>) =>
    postAs(auth, application, "/oauth/revoke", { ...credentials, token: "none" });

  for (const seconds of DIFFERENCES_SECONDS) {
    it(`accept an assertion once, the first being ${seconds} s ahead of the others (RFC 7523 3)`, async () => {
      const application = await registerWithKey(auth);
      const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
      const credentials = await application.credentials({ exp });
      date.advance(seconds * 1000);
      expect((await revoke(application, credentials)).status).to.equal(200);
      date.restore();
      const later = (LIFETIME_SECONDS + LATE_SECONDS) * 1000;
      date.advance(later);
      await databaseClock.advance(later);
      const again = await revoke(application, credentials);
      expectError(again, 401, "invalid_client");
      expect(again.body).to.contain("has already been used");
    });
  }
});
