import { expect } from "chai";
import { authorizePath, openBrowser, signIn } from "../psu-browser.ts";
import type { TestApplication } from "../test-application.ts";
import { refresh } from "../use-tokens.ts";
import { type OperatorScene, openOperatorScene } from "./operator-scene.ts";

const PSU = "/psus/psu-jana";
const TRIES = 50;
const CODES = 8;
const HOUR = 3_600_000;

describe("A blocked PSU", function psuBlock() {
  this.timeout(120_000);
  let scene: OperatorScene;
  let application: TestApplication;
  before(async () => {
    scene = await openOperatorScene({ DATABASE_MAX_CONNECTIONS: "6" });
    application = await scene.register();
  });
  after(() => scene.stop());
  afterEach(async () => {
    await release();
  });

  const block = () => scene.order("POST", `${PSU}/block`, { reason: "fraud case 12" });
  const release = () => scene.order("POST", `${PSU}/release`, { reason: "case 12 is closed" });

  async function openSignIn() {
    const browser = openBrowser(scene.auth);
    return { browser, page: await browser.follow(await browser.get(authorizePath(application))) };
  }

  it("has no token, refresh token or code left that works", async () => {
    const given = await scene.give(application);
    const another = await scene.register();
    const code = await scene.code(another);
    const answer = await block();
    expect(answer.status).to.equal(201);
    expect(answer.json).to.include({ result: "blocked", reason: "fraud case 12", endedConsents: 2 });
    expect(await scene.isActive(given.accessToken)).to.equal(false);
    expect((await scene.refresh(given)).body).to.include("invalid_grant");
    expect((await scene.redeem(another, code)).body).to.include("invalid_grant");
    const { json } = await scene.order("GET", PSU);
    expect(json).to.deep.include({ blocked: true, displayName: "jana" });
    expect(json.consents.active).to.equal(0);
    expect((await block()).json).to.include({ result: "already_blocked" });
  });

  it("is refused at sign-in with exactly the page of a wrong password", async () => {
    await block();
    const shown = async (username: string) => {
      const { browser, page } = await openSignIn();
      return signIn(scene.auth, browser, page, username);
    };
    const blocked = await shown("jana");
    const { browser, page } = await openSignIn();
    const fields = { username: "jana", password: "wrong", one_time_code: "000000" };
    const wrong = await browser.post(page, "sign-in", fields);
    // Ids of the interaction and of the step, and the challenge of passkeys, differ from page to page.
    const settled = ({ body }: { readonly body: string }) =>
      body
        .replaceAll(/interaction\/[^/"?]+/g, "interaction/I")
        .replaceAll(/value="[^"]{20,}"/g, 'value="V"')
        .replaceAll(/challenge&quot;:&quot;[^&]{43}/g, "challenge&quot;:&quot;C");
    expect(blocked.status).to.equal(wrong.status);
    expect(settled(blocked)).to.equal(settled(wrong));
    expect(Object.keys(blocked.headers)).to.deep.equal(Object.keys(wrong.headers));
  });

  it("is held off after five tries even if one was right, as if all had been wrong", async () => {
    // Nobody counts what was tried a day ago.
    scene.auth.clock.advance(25 * HOUR);
    await block();
    const { browser, page } = await openSignIn();
    let shown = page;
    const guess = async () => {
      const fields = { username: "jana", password: "wrong", one_time_code: "000000" };
      shown = await browser.post(shown, "sign-in", fields);
      return shown.status;
    };
    try {
      const tries = [await guess(), await guess(), await guess(), await guess()];
      shown = await signIn(scene.auth, browser, shown);
      expect([...tries, shown.status]).to.deep.equal([422, 422, 422, 422, 422]);
      expect(await guess()).to.equal(429);
    } finally {
      scene.auth.clock.advance(25 * HOUR);
    }
  });

  it("cannot consent on a page that was open at the block, even after the release", async () => {
    const { browser, page } = await openSignIn();
    const consentPage = await browser.follow(await signIn(scene.auth, browser, page));
    expect(consentPage.body).to.include("/consent");
    await block();
    const uid = /\/oauth\/interaction\/[^/"?]+/.exec(consentPage.body)?.[0] ?? "";
    const during = await browser.get(uid);
    expect(during.body).not.to.include('name="choice"');
    const posted = await browser.post(consentPage, "consent", { choice: "all" });
    expect([posted.status, posted.headers.location]).to.deep.equal([during.status, undefined]);
    await release();
    const later = await browser.post(consentPage, "consent", { choice: "all" });
    expect([later.status, later.headers.location]).to.deep.equal([during.status, undefined]);
    const { json } = await scene.order("GET", "/consents?psu=psu-jana&state=active");
    expect(json.consents).to.deep.equal([]);
  });

  it("can sign in again after the release, but gets back nothing that had ended", async () => {
    const given = await scene.give(application);
    await block();
    const released = await release();
    expect([released.status, released.json.releasedBy]).to.deep.equal([200, "operator"]);
    expect(await scene.isActive(given.accessToken)).to.equal(false);
    expect((await scene.refresh(given)).body).to.include("invalid_grant");
    const anew = await scene.give(application);
    expect(await scene.isActive(anew.accessToken)).to.equal(true);
    expect((await release()).status).to.equal(404);
  });

  it("has no working token from codes that are redeemed at the moment of the block", async () => {
    const applications = await Promise.all(Array.from({ length: CODES }, () => scene.register()));
    const codes: string[] = [];
    for (const each of applications) codes.push(await scene.code(each));
    const answers = await Promise.all(
      applications.map(async (each, at) => {
        const blocked = at === 2 ? block() : undefined;
        const answer = await scene.redeem(each, codes[at] ?? "");
        await blocked;
        return { application: each, answer };
      }),
    );
    for (const { application: each, answer } of answers) {
      const { access_token: token, refresh_token } = JSON.parse(answer.body);
      if (token === undefined) continue;
      expect(await scene.isActive(token)).to.equal(false);
      expect((await refresh(scene.auth, each, refresh_token)).status).to.equal(400);
    }
    expect((await scene.order("GET", PSU)).json.consents.active).to.equal(0);
  });

  it("has no working token or sign-in from requests at the moment of the block", async () => {
    const given = await scene.give(application);
    const open = await Promise.all(Array.from({ length: 5 }, openSignIn));
    scene.auth.clock.advance(30_000);
    const refreshes = Array.from({ length: TRIES }, async (_, at) => {
      if (at === TRIES / 5) await block();
      return scene.refresh(given);
    });
    const signIns = open.map(({ browser, page }) => signIn(scene.auth, browser, page));
    for (const answer of await Promise.all(refreshes)) {
      const { access_token: token } = JSON.parse(answer.body);
      if (token !== undefined) expect(await scene.isActive(token)).to.equal(false);
    }
    await Promise.all(signIns);
    for (const { browser, page } of open) {
      const uid = /\/oauth\/interaction\/[^/"?]+/.exec(page.body)?.[0] ?? "";
      expect((await browser.follow(await browser.get(uid))).body).not.to.include('name="choice"');
    }
  });

  it("is recorded with who blocked and released, and who only looked", async () => {
    const [blocked, released] = [await block(), await release()];
    const looked = await scene.order("GET", PSU);
    await scene.order("GET", "/consents?psu=psu-jana&limit=3");
    const { entries } = (await scene.order("GET", "/audit?subject=psu-jana&actor=operator&limit=4")).json;
    const told = entries.map(({ action, requestId, details }: Record<string, unknown>) => ({
      action,
      requestId,
      details,
    }));
    expect(told[0]).to.deep.include({ action: "operator.read" });
    expect(told[0].details).to.include({ what: "consents", psu: "psu-jana" });
    expect(told.slice(1)).to.deep.equal([
      { action: "operator.read", requestId: looked.requestId, details: { what: "psu" } },
      { action: "psu.released", requestId: released.requestId, details: { note: "case 12 is closed" } },
      {
        action: "psu.blocked",
        requestId: blocked.requestId,
        details: { endedConsents: blocked.json.endedConsents, note: "fraud case 12" },
      },
    ]);
  });

  it("must be known to the bank (404), and have a well-formed id (400)", async () => {
    const order = (psu: string) => scene.order("POST", `/psus/${psu}/block`, { reason: "r" });
    expect((await order("psu-nobody")).json).to.include({
      status: 404,
      detail: "the login does not know this PSU, and no consent or block has this id",
    });
    expect((await order("psu%20jana")).json.detail).to.include("psu must be 1 to 64 letters");
    expect((await scene.order("GET", "/psus/psu-nobody")).status).to.equal(404);
  });

  it("may be no longer known to the login, if they once consented or were blocked", async () => {
    const run = (text: string, ...values: readonly unknown[]) =>
      scene.auth.database.run({ name: "", text, values });
    await run(`INSERT INTO psu_block (psu_id, reason, blocked_by, blocked_at, released_by, released_at)
      VALUES ('psu-gone', 'r', 'operator', now(), 'operator', now())`);
    const { consentId } = await scene.give(application, "petr");
    await scene.order("POST", `/consents/${consentId}/end`, { reason: "r" });
    await run("UPDATE consent SET psu_id = 'psu-left' WHERE id = $1", consentId);
    for (const psu of ["psu-gone", "psu-left"]) {
      expect((await scene.order("GET", `/psus/${psu}`)).json, psu).to.include({ displayName: null });
      expect((await scene.order("POST", `/psus/${psu}/block`, { reason: "r" })).status, psu).to.equal(201);
    }
  });

  it("may be known only from a consent to a card issuer, which ends with the block", async () => {
    await scene.auth.database.run({
      name: "",
      text: `INSERT INTO card_consent
        (id, psu_id, organisation_identifier, account_id, iban, given_at, ended_at, ended_by, end_reason)
        VALUES ('card-of-one-0000000000', 'psu-card', $1, 'main', $2, now(), NULL, NULL, NULL),
          ('card-of-two-0000000000', 'psu-card', 'PSDCZ-CNB-2', 'main', $2, now(), NULL, NULL, NULL),
          ('card-of-three-00000000', 'psu-once', $1, 'main', $2, now(), now(), 'psu', 'withdrawn')`,
      values: ["PSDCZ-CNB-1", "CZ6508000000192000145399"],
    });
    const show = async (psu: string) => (await scene.order("GET", `/psus/${psu}`)).json;
    const consents = { active: 0, ended: 0 };
    expect(await show("psu-card")).to.deep.include({ consents, cardConsents: { active: 2, ended: 0 } });
    expect(await show("psu-once")).to.deep.include({ consents, cardConsents: { active: 0, ended: 1 } });
    const blocked = await scene.order("POST", "/psus/psu-card/block", { reason: "r" });
    expect(blocked.json).to.include({ result: "blocked", endedConsents: 2 });
    expect(await show("psu-card")).to.deep.include({ cardConsents: { active: 0, ended: 2 } });
    expect((await scene.order("POST", "/psus/psu-once/block", { reason: "r" })).status).to.equal(201);
  });

  it("does not affect another PSU", async () => {
    const petr = await scene.give(application, "petr");
    await block();
    expect(await scene.isActive(petr.accessToken)).to.equal(true);
    expect((await scene.code(application, "petr")).length).to.be.above(0);
  });
});
