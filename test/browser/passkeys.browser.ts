import type { Language } from "@cobs/cobs-model";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { DOMESTIC_ORDER } from "../auth/signing/sample-orders.ts";
import { forgetUsedCodes, runSql } from "../journeys/journey-sandbox.ts";
import { askForSigning, type SandboxSigning, stateOfSigning } from "../journeys/sandbox-signing.ts";
import { LOOKS_WITH_SCRIPTS } from "./looks.ts";
import { atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { everyPage, openSamples } from "./sample-site.ts";
import { openScene, type Scene } from "./scene.ts";
import { addVirtualAuthenticator, type VirtualAuthenticator } from "./virtual-authenticator.ts";

const { phrases, messages } = TEXTS.en;

/** Browsers in which there are none: each with how it looks at pages, and what it does before theirs. */
const WITHOUT_PASSKEYS = [
  ["without JavaScript", { javaScriptEnabled: false }, ""],
  ["whose view of a page knows no passkeys", {}, "delete window.PublicKeyCredential"],
] as const;

type Holder = PsuAtPages & { readonly device: VirtualAuthenticator };

describe("A PSU with a passkey in a browser", function passkeys() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });
  afterEach(() => runSql(scene.document.databases.auth, "DELETE FROM passkey", []));

  const petr = () => scene.psu("petr");
  const ask = () =>
    askForSigning(scene.document, {
      psuId: petr().psuId,
      application: scene.paymentApplication,
      order: DOMESTIC_ORDER,
    });
  const stateOf = (asked: SandboxSigning) => stateOfSigning(scene.document, asked);

  /** Signs in with password and code, adds a passkey of this device, and forgets who is signed in. */
  async function enrol(look = {}, language: Language = "en"): Promise<Holder> {
    const texts = TEXTS[language].phrases;
    const at = atPages(scene, await scene.visitor(look), language);
    const device = await addVirtualAuthenticator(at.page);
    await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
    await at.fillIn(petr());
    await at.press(texts.sign_in);
    await at.page.getByLabel(texts.passkey_name).fill("notebook");
    await at.press(texts.passkey_add);
    await at.page.getByText("notebook", { exact: true }).waitFor();
    expect(await at.done()).to.equal(texts.done_passkey_added);
    expect(await device.count()).to.equal(1);
    await at.page.context().clearCookies();
    return { ...at, device };
  }

  /** The same, a day ago: a new one approves no order. */
  async function enrolEarlier(): Promise<Holder> {
    const at = await enrol();
    await runSql(
      scene.document.databases.auth,
      "UPDATE passkey SET added_at = added_at - interval '1 day'",
      [],
    );
    return at;
  }

  /** Presses through the question, and reads that it is removed. */
  async function remove({ page, press }: PsuAtPages): Promise<void> {
    const name = phrases.passkey_remove.replace("{name}", "notebook");
    await page.getByRole("link", { name, exact: true }).click();
    await press(phrases.passkey_remove_this);
    await page.getByText(phrases.done_passkey_removed).waitFor();
  }

  for (const look of LOOKS_WITH_SCRIPTS)
    it(`adds it, and gives a consent with it alone: ${look.name}`, async () => {
      const texts = TEXTS[look.language].phrases;
      const at = await enrol(look.browser, look.language);
      const begun = await scene.begin();
      await at.page.goto(begun.url.href);
      await at.press(texts.passkey_sign_in);
      await at.page.getByRole("button", { name: texts.agree, exact: true }).waitFor();
      await at.choose("all");
      await at.press(texts.agree);
      const back = await at.back();
      expect((await begun.redeem(back)).scope).to.equal("aisp");
    });

  it("adds it with Enter in the field of its name, as with the button", async () => {
    const at = atPages(scene, await scene.visitor());
    const device = await addVirtualAuthenticator(at.page);
    await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
    await at.fillIn(petr());
    await at.press(phrases.sign_in);
    await at.page.getByLabel(phrases.passkey_name).fill("notebook");
    await at.page.keyboard.press("Enter");
    await at.page.locator(".done, .faults").waitFor();
    expect(await at.done()).to.equal(phrases.done_passkey_added);
    expect(await at.page.getByText("notebook", { exact: true }).count()).to.equal(1);
    expect(await device.count()).to.equal(1);
  });

  it("reads that the device has one already, and adds none", async () => {
    const at = await enrol();
    await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
    await at.press(phrases.passkey_sign_in);
    await at.page.getByText("notebook", { exact: true }).waitFor();
    await at.press(phrases.passkey_add);
    await at.page.getByRole("alert").getByText(phrases.passkey_here).waitFor();
    expect(await at.page.getByText(phrases.fault_passkey_not_added).isVisible()).to.equal(false);
    expect(await at.device.count()).to.equal(1);
  });

  it("reads that none was added when the device does not recognise them", async () => {
    const at = await enrol();
    await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
    await at.press(phrases.passkey_sign_in);
    await at.page.getByText("notebook", { exact: true }).waitFor();
    await remove(at);
    await at.device.recognises(false);
    await at.press(phrases.passkey_add);
    await at.page.getByRole("alert").getByText(phrases.fault_passkey_not_added).waitFor();
    expect(await at.page.getByText(phrases.passkey_failed).count()).to.equal(0);
  });

  it("uses it in place of the code, and reads which fields are empty before the device is asked", async () => {
    const at = await enrol();
    await at.page.goto((await scene.begin()).url.href);
    await at.page.getByLabel(phrases.username).fill(petr().username);
    await at.press(phrases.passkey_for_code);
    const alert = at.page.locator(".faults");
    await alert.waitFor();
    expect(await alert.textContent()).to.include(phrases.fault_password_missing);
    await at.page.getByLabel(phrases.password).fill(petr().password);
    await at.press(phrases.passkey_for_code);
    await at.page.getByRole("button", { name: phrases.agree, exact: true }).waitFor();
  });

  it("is refused with a wrong password beside it, in the usual words (RTS Article 4(3)(a))", async () => {
    const at = await enrol();
    await at.page.goto((await scene.begin()).url.href);
    await at.page.getByLabel(phrases.username).fill(petr().username);
    await at.page.getByLabel(phrases.password).fill("wrong");
    await at.press(phrases.passkey_for_code);
    const alert = at.page.locator(".faults");
    await alert.waitFor();
    expect(await alert.textContent()).to.include(phrases.fault_sign_in_refused);
    await at.press(phrases.passkey_sign_in);
    await at.page.getByRole("button", { name: phrases.agree, exact: true }).waitFor();
  });

  it("reads what to do when the device does not recognise them, and goes on with password and code", async () => {
    const at = await enrol();
    await at.page.goto((await scene.begin()).url.href);
    await at.device.recognises(false);
    await at.press(phrases.passkey_sign_in);
    await at.page.getByText(phrases.passkey_failed).and(at.page.locator(":visible")).waitFor();
    expect(await at.heading()).to.equal(phrases.sign_in_title);
    await runSql(scene.document.databases.auth, "UPDATE sandbox_psu SET last_step = 0", []);
    await at.signIn(petr());
  });

  it("signs in and approves a payment with it, in three pages from the TPP and back (RTS Article 5)", async () => {
    const at = await enrolEarlier();
    const asked = await ask();
    await at.page.goto(asked.url);
    await at.press(phrases.passkey_sign_in);
    await at.page.getByRole("heading", { name: phrases.order_title }).waitFor();
    await at.press(phrases.passkey_approve);
    await at.page.getByRole("heading", { name: messages.signing_approved.title }).waitFor();
    expect(await stateOf(asked)).to.equal("approved");
  });

  it("approves nothing when the device does not recognise them", async () => {
    const at = await enrolEarlier();
    const asked = await ask();
    await at.page.goto(asked.url);
    await at.press(phrases.passkey_sign_in);
    await at.page.getByRole("heading", { name: phrases.order_title }).waitFor();
    await at.device.recognises(false);
    await at.press(phrases.passkey_approve);
    await at.page.getByText(phrases.passkey_failed).and(at.page.locator(":visible")).waitFor();
    expect(await stateOf(asked)).to.equal("waiting");
  });

  it("cannot add the same device twice, and can remove it, after which it signs nobody in", async () => {
    const at = await enrol();
    await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
    await at.press(phrases.passkey_sign_in);
    await at.press(phrases.passkey_add);
    await at.page.getByText(phrases.passkey_here).and(at.page.locator(":visible")).waitFor();
    await remove(at);
    expect(await at.done()).to.equal(phrases.done_passkey_removed);
    await at.page.locator(".done:focus").waitFor();
    await at.page.reload();
    expect(await at.done()).to.equal("");
    await at.page.getByRole("button", { name: phrases.sign_out, exact: true }).click();
    await at.page.goto((await scene.begin()).url.href);
    await at.press(phrases.passkey_sign_in);
    await at.page.locator(".faults").waitFor();
    expect(await at.page.locator(".faults").textContent()).to.include(phrases.fault_passkey_refused);
  });

  it("can keep or remove one without JavaScript too (WCAG 2.2 3.3.4)", async () => {
    const { page: former } = await enrol();
    await former.close();
    await forgetUsedCodes(scene.document);
    const at = atPages(scene, await scene.visitor({ javaScriptEnabled: false }));
    await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
    await at.fillIn(petr());
    await at.press(phrases.sign_in);
    await at.page.getByRole("link", { name: phrases.passkey_remove.replace("{name}", "notebook") }).click();
    expect(await at.heading()).to.equal(phrases.passkey_remove_title.replace("{name}", "notebook"));
    await at.page.getByRole("link", { name: phrases.passkey_keep, exact: true }).click();
    expect(await at.done()).to.equal("");
    await remove(at);
    expect(await at.page.getByText("notebook", { exact: true }).count()).to.equal(0);
  });

  it("sees no button for passkeys without JavaScript, and can sign in otherwise", async () => {
    const at = atPages(scene, await scene.visitor({ javaScriptEnabled: false }));
    await at.page.goto((await scene.begin()).url.href);
    for (const name of [phrases.passkey_sign_in, phrases.passkey_for_code])
      expect(await at.page.getByRole("button", { name, exact: true }).count()).to.equal(0);
    await at.signIn(petr());
  });

  for (const [where, look, script] of WITHOUT_PASSKEYS)
    it(`is led to the passkey when no code can be sent, or to advice in a browser ${where} (WCAG 2.2 3.3.3)`, async () => {
      const seen = async (page: Page) => {
        const show = await openSamples(page);
        await show(everyPage("en").get("order-code-none") ?? "");
        await page.waitForLoadState("load");
        const target = await page.locator(".faults a").getAttribute("href");
        const led = page.locator(target ?? "");
        expect(await led.isVisible()).to.equal(true);
        return (await led.innerText()).trim();
      };
      const without = await scene.visitor(look);
      await without.addInitScript(script);
      expect(await seen(without)).to.equal(phrases.passkey_order_elsewhere);
      expect(await seen(await scene.visitor()))
        .to.include(phrases.passkey_order_hint)
        .and.not.include(phrases.passkey_order_elsewhere);
    });

  for (const [where, look, script] of WITHOUT_PASSKEYS)
    it(`reads how to add one in a browser ${where}, and not in one that can`, async () => {
      const advice = async (at: PsuAtPages) => {
        await at.page.goto(new URL("/authenticator", scene.document.auth.browser).href);
        await at.fillIn(petr());
        await at.press(phrases.sign_in);
        await at.page.getByRole("heading", { name: phrases.passkeys, exact: true }).waitFor();
        // What the script of the page hides it has hidden by then.
        await at.page.waitForLoadState("load");
        return at.page.getByText(phrases.passkeys_unavailable, { exact: true }).isVisible();
      };
      const without = atPages(scene, await scene.visitor(look));
      await without.page.addInitScript(script);
      expect(await advice(without)).to.equal(true);
      await forgetUsedCodes(scene.document);
      expect(await advice(atPages(scene, await scene.visitor()))).to.equal(false);
    });

  it("tries again with Enter when the device has refused: the focus stays in place (WCAG 2.2 2.4.3)", async () => {
    const page = await scene.visitor();
    // The device is asked until it is told to refuse.
    await page.addInitScript(`navigator.credentials.get = () => new Promise((_, refuse) => {
      window.refuse = () => {
        window.refuse = undefined;
        refuse(new DOMException("no", "NotAllowedError"));
      };
    })`);
    const show = await openSamples(page);
    await show(everyPage("en").get("sign-in") ?? "");
    await page.getByRole("button", { name: phrases.passkey_sign_in, exact: true }).focus();
    const told = page.getByText(phrases.passkey_failed).and(page.locator(":visible"));
    for (const _ of ["once", "again"]) {
      await page.keyboard.press("Enter");
      await page.waitForFunction("window.refuse !== undefined");
      await told.waitFor({ state: "hidden" });
      await page.evaluate("window.refuse()");
      await told.waitFor();
    }
  });

  it("sends one answer of the device, and after a stopped page that of the next try alone", async () => {
    const page = await scene.visitor();
    await page.clock.install();
    await page.addInitScript(`
      const response = Object.fromEntries(
        ["clientDataJSON", "authenticatorData", "signature"].map((name) => [name, new ArrayBuffer(1)]),
      );
      navigator.credentials.get = async () => ({ id: "key", response });
      window.sent = [];
      HTMLFormElement.prototype.submit = function submit() {
        window.sent.push(new FormData(this).getAll("assertion").length);
      };`);
    const show = await openSamples(page);
    await show(everyPage("en").get("sign-in") ?? "");
    const button = page.getByRole("button", { name: phrases.passkey_sign_in, exact: true });
    for (const sent of [[1], [1, 1]]) {
      await button.click();
      await page.waitForFunction(`window.sent.length === ${sent.length}`);
      expect(await page.evaluate("window.sent")).to.deep.equal(sent);
      expect(await button.isDisabled()).to.equal(true);
      await page.clock.runFor(10_000);
      expect(await button.isDisabled()).to.equal(false);
    }
    expect(await page.locator("input[name=assertion]").count()).to.equal(0);
    await button.click();
    await page.waitForFunction("window.sent.length === 3");
    await page.evaluate(`
      navigator.credentials.get = () => new Promise(() => {});
      dispatchEvent(new Event("pageshow"));`);
    await button.click();
    await page.clock.runFor(10_000);
    expect(await button.isDisabled(), "while the device is asked").to.equal(true);
  });

  it("signs in with Enter on the button, and is led on by the device's answer (WCAG 2.2 2.1.1)", async () => {
    const at = await enrol();
    await at.page.goto((await scene.begin()).url.href);
    await at.page.getByRole("button", { name: phrases.passkey_sign_in, exact: true }).focus();
    await at.page.keyboard.press("Enter");
    await at.page.getByRole("button", { name: phrases.agree, exact: true }).waitFor();
  });
});
