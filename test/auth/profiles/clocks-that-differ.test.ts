import { expect } from "chai";
import { movableClock } from "../../support/movable-clock.ts";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../../support/movable-database-clock.ts";
import { type MovableDate, movableDate } from "../../support/movable-date.ts";
import { expectError } from "../expect-error.ts";
import { authorizePath, openBrowser, signIn } from "../psu-browser.ts";
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
const AHEAD_SECONDS = 120;
const FIVE_MINUTES = 300;
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

describe("A sign-in at one process of auth, and what rests on it at another", function signInElsewhere() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let other: RunningAuth;
  let at: RunningAuth;
  const pass = (seconds: number) => {
    for (const { clock } of [auth, other]) clock.advance(seconds * 1000);
  };
  before(async () => {
    auth = await runAuth();
    other = await runAuth({}, { ...auth, clock: movableClock() });
  });
  after(async () => {
    await other.stop();
    await auth.stop();
  });
  beforeEach(() => {
    at = auth;
  });

  const setAhead = (seconds: number) => {
    const ahead = other.clock.now().getTime() - auth.clock.now().getTime();
    other.clock.setWall(seconds * 1000 - ahead);
  };
  const open = () => openBrowser({ ...auth, browse: (call) => at.browse(call) });

  for (const seconds of ELSEWHERE_SECONDS)
    it(`counts for a consent for five minutes by the clock of the other, ${seconds} s elsewhere (RTS Article 4(3)(d))`, async () => {
      const path = authorizePath(await register(auth));
      for (const [late, status] of [
        [-1, 303],
        [0, 403],
      ] as const) {
        at = auth;
        const browser = open();
        const page = await browser.follow(await browser.get(path));
        const asked = await browser.follow(await signIn(auth, browser, page));
        setAhead(seconds);
        pass(FIVE_MINUTES - seconds + late);
        at = other;
        expect((await browser.post(asked, "consent", { choice: "all" })).status).to.equal(status);
      }
    });

  it("opens a session that ends without a request as much earlier at the other as that is ahead", async () => {
    for (const [late, isSignedIn] of [
      [-1, true],
      [0, false],
    ] as const) {
      at = auth;
      const browser = open();
      await signIn(auth, browser, await browser.get("/consents"));
      setAhead(AHEAD_SECONDS);
      pass(FIVE_MINUTES - AHEAD_SECONDS + late);
      at = other;
      const isAsked = (await browser.get("/consents")).body.includes('action="/consents/sign-in"');
      expect(isAsked).to.equal(!isSignedIn);
    }
  });
});
