import { expect } from "chai";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../support/movable-database-clock.ts";
import { type MovableDate, movableDate } from "../../support/movable-date.ts";
import { expectError } from "../expect-error.ts";
import { authorizePath, openBrowser } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { register } from "../test-application.ts";
import { codeFor, redeem } from "../use-tokens.ts";
import { byReference, type Fapi2Application, postAs, push, registerWithKey } from "./fapi2-application.ts";

const LIFETIME_SECONDS = 600;
/** Less than the tolerance for the TPP's own clock: an assertion is still accepted so long after its end. */
const LATE_SECONDS = 10;
const DIFFERENCES_SECONDS = [0, 120, 240];
/** Of a process that did not store what it finds. */
const ELSEWHERE_SECONDS = [120, -120];
/** Lifetime of a code and of a pushed request. */
const CODE_SECONDS = 60;

/** Processes differ only in their clocks, so one that changes its own stands for all of them. */
describe("Processes of auth whose clocks differ", function differingClocks() {
  this.timeout(120_000);
  let databaseClock: DatabaseWithMovableClock;
  let auth: RunningAuth;
  let date: MovableDate;
  before(async () => {
    databaseClock = await createDatabaseWithMovableClock();
    auth = await runAuth({ REDIS_URL: "" }, undefined, { ownDatabase: databaseClock.url });
  });
  after(() => auth.stop());
  beforeEach(() => {
    date = movableDate();
  });
  afterEach(() => date.restore());

  /** A call that succeeds for whoever is believed (RFC 7009 2.2). */
  const revoke = (application: Fapi2Application, credentials: Readonly<Record<string, string>>) =>
    postAs(auth, application, "/oauth/revoke", { ...credentials, token: "none" });

  for (const seconds of ELSEWHERE_SECONDS) {
    it(`redeem a code ${seconds} s elsewhere, as long as the database says (RFC 6749 4.1.2)`, async () => {
      const application = await register(auth);
      const code = await codeFor(auth, application, { username: "jana" });
      const late = await codeFor(auth, application, { username: "petr" });
      date.advance(seconds * 1000);
      expect((await redeem(auth, application, code)).status).to.equal(200);
      await databaseClock.advance(CODE_SECONDS * 1000);
      expectError(await redeem(auth, application, late), 400, "invalid_grant");
    });

    it(`begin with a request that was pushed ${seconds} s elsewhere, as long as its store says (RFC 9126 2.2)`, async () => {
      const application = await registerWithKey(auth);
      const path = authorizePath(application, byReference(await push(auth, application)));
      date.advance(seconds * 1000);
      expect((await openBrowser(auth).get(path)).status).to.equal(303);
      await databaseClock.advance(CODE_SECONDS * 1000);
      expect((await openBrowser(auth).get(path)).status).to.equal(400);
    });
  }

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
