import { expect } from "chai";
import {
  createDatabaseWithMovableClock,
  type DatabaseWithMovableClock,
} from "../support/movable-database-clock.ts";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { register } from "./test-application.ts";

const FIVE_MINUTES = 300_000;

describe("A PSU who takes long on the consent page", function idleConsent() {
  this.timeout(120_000);
  let databaseClock: DatabaseWithMovableClock;
  let auth: RunningAuth;

  before(async () => {
    databaseClock = await createDatabaseWithMovableClock();
    auth = await runAuth({}, undefined, { ownDatabase: databaseClock.url });
  });
  after(() => auth.stop());

  async function wait(milliseconds: number): Promise<void> {
    auth.clock.advance(milliseconds);
    await databaseClock.advance(milliseconds);
  }

  async function arrive() {
    const browser = openBrowser(auth);
    const application = await register(auth);
    const first = await browser.follow(await browser.get(`${authorizePath(application)}&ui_locales=en`));
    const answer = await signIn(auth, browser, first, "jana");
    const resumed = await browser.get(new URL(String(answer.headers.location)).pathname);
    const path = String(resumed.headers.location);
    const page = await browser.get(path);
    expect(page.body).to.contain("account-1");
    return { browser, page, path };
  }

  it("can consent within five minutes of the sign-in", async () => {
    const { browser, page } = await arrive();
    await wait(FIVE_MINUTES - 10_000);
    const back = await browser.follow(await browser.post(page, "consent", { choice: "all" }));
    expect(new URL(String(back.headers.location)).searchParams.get("code")).to.be.a("string");
  });

  it("is told afterwards that the sign-in has ended, and can return to the TPP (RTS Article 4(3)(d))", async () => {
    const { browser, page } = await arrive();
    await wait(FIVE_MINUTES + 1_000);
    const late = await browser.post(page, "consent", { choice: "all" });
    expect(late.status).to.equal(403);
    expect(late.body).to.contain("You have been signed out");
    const back = await browser.follow(await browser.post(late, "cancel", {}));
    expect(new URL(String(back.headers.location)).searchParams.get("error")).to.equal("access_denied");
  });

  it("is treated as signed out when a process of 0.1.0 completed the sign-in without recording it", async () => {
    const { browser, path } = await arrive();
    const text = `UPDATE ephemeral_record SET payload = payload #- '{lastSubmission,login,signIn}' #- '{result,login,signIn}'
      WHERE kind = 'Interaction'`;
    await auth.database.run({ name: "forget-sign-ins", text, values: [] });
    const late = await browser.get(path);
    expect(late.body).to.contain("You have been signed out");
    const back = await browser.follow(await browser.post(late, "cancel", {}));
    expect(new URL(String(back.headers.location)).searchParams.get("error")).to.equal("access_denied");
  });

  it("is told of the five minutes, not of doing nothing, after searching the accounts all the time", async () => {
    const { browser, page } = await arrive();
    let shown = page;
    for (let minute = 0; minute < 5; minute += 1) {
      await wait(61_000);
      shown = await browser.post(page, "consent", { go: "find" });
      expect(shown.status).to.equal(minute < 4 ? 200 : 403);
    }
    expect(shown.body)
      .to.contain("five minutes from your sign-in to decide")
      .and.to.not.contain("do nothing");
  });
});
