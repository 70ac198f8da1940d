import { MIGRATIONS_DIRECTORY } from "@cobs/auth";
import { expect } from "chai";
import { type CuttableTunnel, openTunnel } from "../../../support/cuttable-tunnel.ts";
import type { RawAnswer } from "../../../support/raw-https.ts";
import { createStatementReader } from "../../../support/statement-names.ts";
import { createMigratedTestDatabase } from "../../../support/test-databases.ts";
import { openBrowser, type PsuBrowser } from "../../psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "../../running-auth.ts";
import { type RunningUpstream, runUpstream } from "./running-upstream.ts";

/** Of which a return takes more. */
const FEW_STATEMENTS = 10;

describe("A return from the bank's provider, with the database connection broken at any statement", function breaking() {
  this.timeout(120_000);
  let upstream: RunningUpstream;
  let auth: RunningAuth;
  let tunnel: CuttableTunnel;
  /** Statements until the next break. */
  let left = Number.POSITIVE_INFINITY;
  before(async () => {
    upstream = await runUpstream();
    const url = new URL(await createMigratedTestDatabase(MIGRATIONS_DIRECTORY));
    const ownDatabase = url.href;
    tunnel = await openTunnel(Number(url.port), () =>
      createStatementReader(() => {
        left -= 1;
        if (left === 0) tunnel.drop();
      }),
    );
    url.port = String(tunnel.port);
    auth = await runAuth({ ...upstream.variables, DATABASE_URL: url.href }, undefined, { ownDatabase });
  });
  after(async () => {
    await auth.stop();
    await upstream.close();
    await tunnel.cut();
  });

  const signedIn = async (psu: string) => {
    const text = "SELECT FROM audit_entry WHERE subject = $1 AND action = 'psu.signed_in'";
    return (await auth.database.run({ name: "test-signed-in", text, values: [psu] })).length;
  };

  /** From the address at the provider to which the browser is led, and back. */
  async function comeBack(
    browser: PsuBrowser,
    led: RawAnswer,
    psu: string,
  ): Promise<() => Promise<RawAnswer>> {
    const back = await upstream.provider.signIn(String(led.headers.location), { psu, name: "Jana" });
    return async () => browser.follow(await browser.get(back.href.slice(ISSUER.length)));
  }

  it("succeeds or answers 503, and then succeeds when repeated, if need be by way of the provider", async () => {
    let place = 0;
    for (let isOver = false; !isOver; ) {
      place += 1;
      auth.clock.setWall(Date.now() - auth.clock.now().getTime());
      const psu = `bank-${place}`;
      const browser = openBrowser(auth);
      const load = await comeBack(browser, await browser.get("/consents"), psu);
      left = place;
      const first = await load();
      isOver = left > 0;
      left = Number.POSITIVE_INFINITY;
      expect(first.status, `broken at ${place}`).to.be.oneOf([200, 503]);
      if (first.status === 503) expect(first.headers["retry-after"]).to.equal("2");
      let again = await load();
      if (again.status === 303) again = await (await comeBack(browser, again, psu))();
      expect(again.status, `after a break at ${place}`).to.equal(200);
      expect(again.body).to.contain("Jana");
      expect(await signedIn(psu), "of whom it was recorded").to.be.oneOf([1, 2]);
    }
    expect(place).to.be.greaterThan(FEW_STATEMENTS);
  });
});
