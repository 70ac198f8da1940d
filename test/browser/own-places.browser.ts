import { expect } from "chai";
import { forgetUsedCodes, runSql } from "../journeys/journey-sandbox.ts";
import { atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases, messages } = TEXTS.en;
const TITLES = {
  "/consents": phrases.consents_title,
  "/authenticator": phrases.authenticator_title,
} as const;

describe("A PSU who strays on their own pages", function ownPlaces() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  const addressOf = (path: string) => new URL(path, scene.document.auth.browser).href;

  async function signedInAt(path: keyof typeof TITLES): Promise<PsuAtPages> {
    const at = atPages(scene, await scene.visitor());
    await at.page.goto(addressOf(path));
    await signIn(at);
    expect(await at.heading()).to.equal(TITLES[path]);
    return at;
  }
  async function signIn(at: PsuAtPages): Promise<void> {
    await at.fillIn(scene.psu("petr"));
    await at.press(phrases.sign_in);
    await at.page.getByRole("button", { name: phrases.sign_out, exact: true }).waitFor();
  }
  async function anotherTab(at: PsuAtPages, path: string): Promise<PsuAtPages> {
    const tab = atPages(scene, await at.page.context().newPage());
    await tab.page.goto(addressOf(path));
    return tab;
  }

  for (const path of ["/consents", "/authenticator"] as const) {
    it(`signs out in one of two tabs, and nothing of ${path} is left in the other one or behind Back`, async () => {
      const at = await signedInAt(path);
      const tab = await anotherTab(at, path);
      expect(await tab.heading()).to.equal(TITLES[path]);
      await at.press(phrases.sign_out);
      expect(await at.heading()).to.equal(messages.signed_out.title);
      await at.page.goBack();
      expect(await at.heading()).to.equal(phrases.sign_in_title);
      await tab.press(phrases.sign_out);
      expect(await tab.heading()).to.equal(phrases.sign_in_title);
    });

    it(`is asked to sign in at ${path} in another browser, and when the session has ended`, async () => {
      const at = await signedInAt(path);
      const other = atPages(scene, await scene.visitor());
      await other.page.goto(at.page.url());
      expect(await other.heading()).to.equal(phrases.sign_in_title);
      await runSql(
        scene.document.databases.auth,
        "UPDATE ephemeral_record SET expires_at = now() WHERE kind LIKE 'Psu%'",
      );
      await at.page.reload();
      expect(await at.heading()).to.equal(phrases.sign_in_title);
    });

    it(`is told what to do at ${path} when the browser refuses cookies`, async () => {
      const at = atPages(scene, await scene.visitorWithoutCookies());
      await at.page.goto(addressOf(path));
      await at.fillIn(scene.psu("petr"));
      await at.press(phrases.sign_in);
      expect(await at.heading()).to.equal(messages.cookies_missing.title);
    });
  }

  it("is led back to the page when its form belonged to an earlier session", async () => {
    const at = await signedInAt("/authenticator");
    const tab = await anotherTab(at, "/authenticator");
    await at.press(phrases.sign_out);
    await at.page.goto(addressOf("/authenticator"));
    await forgetUsedCodes(scene.document);
    await signIn(at);
    await tab.press(phrases.sign_out);
    expect(await tab.heading()).to.equal(messages.form_untrusted.title);
    await tab.page.getByRole("link", { name: phrases.try_again, exact: true }).click();
    expect(await tab.heading()).to.equal(phrases.authenticator_title);
  });
});
