import { expect } from "chai";
import { Secret, TOTP } from "otpauth";
import { TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;

describe("A PSU without an authenticator app", function enrolment() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  it("sees the whole activation code in its field, on a phone of 360 pixels", async () => {
    const { newcomer, auth } = scene.document;
    const page = await scene.visitor({ viewport: { width: 360, height: 740 } });
    await page.goto(`${auth.browser}/authenticator?lang=en`);
    await page.getByLabel(phrases.one_time_code).fill(newcomer.activationCode);
    const [whole, inSight] = await page.evaluate<readonly [number, number]>(
      "[one_time_code.scrollWidth, one_time_code.clientWidth]",
    );
    expect(whole).to.be.at.most(inSight);
  });

  it("sets one up with the activation code, then another, whose key survives a change of language", async () => {
    const { newcomer, auth } = scene.document;
    const page = await scene.visitor({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false });
    await page.goto(`${auth.browser}/authenticator?lang=en`);
    await page.getByLabel(phrases.username).fill(newcomer.username);
    await page.getByLabel(phrases.password).fill(newcomer.password);
    await page.getByLabel(phrases.one_time_code).fill(newcomer.activationCode);
    await page.getByRole("button", { name: phrases.sign_in, exact: true }).click();
    await page.getByRole("heading", { name: phrases.enrolment_title }).waitFor();
    const picture = await page.getByRole("img", { name: phrases.enrolment_picture }).boundingBox();
    expect(picture?.width).to.be.within(200, 320);
    const first = await secretOf();
    await page.getByLabel(phrases.enrolment_code).fill("000000");
    await page.getByRole("button", { name: phrases.enrolment_confirm, exact: true }).click();
    await page.locator("#one_time_code-fault", { hasText: phrases.fault_code_wrong }).waitFor();
    await confirm(first, 0);
    await page.getByRole("heading", { name: phrases.authenticator_title }).waitFor();
    await page.getByRole("button", { name: phrases.authenticator_replace, exact: true }).click();
    await page.getByLabel(phrases.enrolment_code).waitFor();
    const second = await secretOf();
    expect(second).to.not.equal(first);
    await page.getByLabel(phrases.enrolment_code).fill("123456");
    await page.getByRole("button", { name: "Čeština" }).click();
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: phrases.enrolment_title }).waitFor();
    expect(await page.getByLabel(phrases.enrolment_code).inputValue()).to.equal("");
    expect(await secretOf()).to.equal(second);
    await confirm(second, 1);
    await page.getByRole("status").getByText(phrases.done_authenticator_enrolled).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: phrases.authenticator_title }).waitFor();
    expect(await page.locator(".done, .faults").count()).to.equal(0);

    async function secretOf(): Promise<string> {
      return ((await page.locator("code.key").textContent()) ?? "").replaceAll(" ", "");
    }

    async function confirm(secret: string, stepsAhead: number): Promise<void> {
      const timestamp = Date.now() + stepsAhead * 30_000;
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
      await page.getByLabel(phrases.enrolment_code).fill("");
      await page.getByLabel(phrases.enrolment_code).focus();
      // Like a paste, and unlike `fill`, it is cut where the field is too short.
      await page.keyboard.insertText(`      ${code.slice(0, 3)} ${code.slice(3)}      `);
      await page.getByRole("button", { name: phrases.enrolment_confirm, exact: true }).click();
    }
  });
});
