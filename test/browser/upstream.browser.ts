import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { type RunningUpstream, runUpstream } from "../auth/psu/upstream/running-upstream.ts";
import { authorizePath } from "../auth/psu-browser.ts";
import { type RunningAuth, runAuth } from "../auth/running-auth.ts";
import { REDIRECT_URI, register } from "../auth/test-application.ts";
import { freePort } from "../support/free-port.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { launchTrusting } from "./chromium.ts";
import { TEXTS } from "./psu-at-pages.ts";

const { phrases, messages } = TEXTS.en;

describe("A PSU who signs in at the bank's own provider, in a browser", function upstreamJourney() {
  this.timeout(120_000);
  let upstream: RunningUpstream;
  let auth: RunningAuth;
  let chromium: Browser;
  let address: string;

  before(async () => {
    const port = await freePort();
    const ISSUER = `https://localhost:${port}`;
    const { server } = await testCertificates();
    // Another site than the pages: cookies and policies bite as they do between two hosts of a bank.
    upstream = await runUpstream({ redirectUri: `${ISSUER}/sign-in/return`, host: "127.0.0.1" });
    auth = await runAuth({ ...upstream.variables, BROWSER_PORT: String(port), ISSUER });
    address = `${ISSUER}${authorizePath(await register(auth))}`;
    const files = [server.auth.certificateFile, server.resourceBank.certificateFile];
    chromium = await launchTrusting(files.map((file) => readFileSync(file)));
  });
  after(async () => {
    await chromium?.close();
    await auth?.stop();
    await upstream?.close();
  });

  // The provider goes by the machine's clock, as providers do.
  beforeEach(() => auth.clock.setWall(Date.now() - auth.clock.now().getTime()));

  async function arrive(javaScriptEnabled: boolean): Promise<Page> {
    const context = await chromium.newContext({ locale: "en-GB", javaScriptEnabled });
    const page = await context.newPage();
    await page.route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: "Back at the TPP" }));
    await page.goto(address);
    await page.getByRole("button", { name: "Sign in at the bank" }).waitFor();
    expect(new URL(page.url()).origin).to.equal(upstream.provider.issuer);
    return page;
  }
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  for (const javaScriptEnabled of [true, false])
    it(`returns across two sites and consents, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const page = await arrive(javaScriptEnabled);
      await press(page, "Sign in at the bank");
      await page.getByText("Jana Nováková").waitFor();
      await page.getByRole("radio").first().check();
      await press(page, phrases.agree);
      await page.waitForURL(`${REDIRECT_URI}?**`);
      expect(new URL(page.url()).searchParams.get("code")).to.be.a("string");
      await page.context().close();
    });

  it("reads that nobody signed in after giving up there, and goes back to the TPP", async () => {
    const page = await arrive(true);
    await press(page, "Give up at the bank");
    await page.getByRole("heading", { name: messages.sign_in_refused.title }).waitFor();
    await page.getByRole("button", { name: new URL(REDIRECT_URI).host }).click();
    await page.waitForURL(`${REDIRECT_URI}?**`);
    expect(new URL(page.url()).searchParams.get("error")).to.equal("access_denied");
    await page.context().close();
  });

  it("finds the consent, and no error, when the page is loaded again", async () => {
    const page = await arrive(true);
    await press(page, "Sign in at the bank");
    await page.getByText("Jana Nováková").waitFor();
    await page.reload();
    await page.getByText("Jana Nováková").waitFor();
    await page.context().close();
  });
});
