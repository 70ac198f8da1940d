import type { Language } from "@cobs/cobs-model";
import { expect } from "chai";
import { DOMESTIC_ORDER, SEPA_ORDER } from "../auth/signing/sample-orders.ts";
import { askForSigning, type SandboxSigning, stateOfSigning } from "../journeys/sandbox-signing.ts";
import { PAIRED_LOOKS } from "./looks.ts";
import { newestCode } from "./newest-code.ts";
import { atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases, messages } = TEXTS.en;

describe("A PSU who approves a payment in a browser", function signing() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  const ask = (order: object = DOMESTIC_ORDER) =>
    askForSigning(scene.document, {
      psuId: scene.psu("petr").psuId,
      application: scene.paymentApplication,
      order,
    });
  const stateOf = (asked: SandboxSigning) => stateOfSigning(scene.document, asked);

  /** Comes to the page of the order, signed in, in a browser that nobody has used. */
  async function arriveAt(asked: SandboxSigning, look = {}, language: Language = "en"): Promise<PsuAtPages> {
    const at = atPages(scene, await scene.visitor(look), language);
    await at.page.goto(asked.url);
    await at.fillIn(scene.psu("petr"));
    await at.press(TEXTS[language].phrases.sign_in);
    await at.page.getByRole("heading", { name: TEXTS[language].phrases.order_title }).waitFor();
    return at;
  }
  const readCode = () => newestCode(scene, scene.psu("petr").psuId);
  async function enter(at: PsuAtPages, code: string, language: Language = "en"): Promise<void> {
    await at.page.getByLabel(TEXTS[language].phrases.bound_code).fill(code);
    await at.press(TEXTS[language].phrases.approve_payment);
  }

  for (const look of PAIRED_LOOKS) {
    const { language } = look;
    it(`sees all of the order, in three pages from the TPP and back: ${look.name}`, async () => {
      const asked = await ask(SEPA_ORDER);
      const at = await arriveAt(asked, look.browser, language);
      const text = (await at.page.getByRole("main").textContent()) ?? "";
      for (const shown of ["Beispiel GmbH", "AT61 1904 3002 3457 3201", "Rechnung  77", "EUR"])
        expect(text).to.include(shown);
      await enter(at, await readCode(), language);
      expect(await at.heading()).to.equal(TEXTS[language].messages.signing_approved.title);
      await at.page.getByRole("link", { name: /127|localhost|tpp/i }).click();
      const back = await at.back();
      expect([...back.searchParams.keys()]).to.have.members(["state", "paymentId", "signId"]);
      expect(back.searchParams.get("paymentId")).to.equal(asked.paymentId);
      expect(await stateOf(asked)).to.equal("approved");
    });
  }

  it("needs only the code just after a sign-in in the same browser (EBA/OP/2020/10)", async () => {
    const at = await arriveAt(await ask());
    const next = await ask();
    await at.page.goto(next.url);
    await enter(at, await readCode());
    expect(await at.heading()).to.equal(messages.signing_approved.title);
    expect(await stateOf(next)).to.equal("approved");
  });

  it("goes back to the TPP with one press of refusal, and sees that it stays refused", async () => {
    const asked = await ask();
    const at = await arriveAt(asked);
    await at.press(phrases.refuse_payment);
    expect((await at.back()).searchParams.get("paymentId")).to.equal(asked.paymentId);
    await at.page.goto(asked.url);
    expect(await at.heading()).to.equal(messages.signing_declined.title);
    expect(await stateOf(asked)).to.equal("refused");
  });

  it("approves once with a double click, and sees that after a reload, going back and in another tab", async () => {
    const asked = await ask();
    const at = await arriveAt(asked);
    const other = await at.page.context().newPage();
    await other.goto(asked.url);
    await at.page.getByLabel(phrases.bound_code).fill(await readCode());
    await at.page.getByRole("button", { name: phrases.approve_payment, exact: true }).dblclick();
    await at.page.getByRole("heading", { name: messages.signing_approved.title }).waitFor();
    await at.page.reload();
    expect(await at.heading()).to.equal(messages.signing_approved.title);
    await at.page.goBack();
    expect(await at.heading()).to.equal(messages.signing_approved.title);
    const inOther = atPages(scene, other);
    await inOther.press(phrases.refuse_payment);
    expect(await inOther.heading()).to.equal(messages.signing_approved.title);
    expect(await stateOf(asked)).to.equal("approved");
  });

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? "with JavaScript" : "without JavaScript";
    it(`reads in another language too that a code was wrong, and enters the right one there: ${scripts}`, async () => {
      const asked = await ask();
      const at = await arriveAt(asked, { javaScriptEnabled });
      const code = await readCode();
      await enter(at, "0000 0000");
      await at.page.getByLabel(phrases.bound_code).fill("1111");
      await at.page.getByRole("button", { name: "Čeština" }).click();
      const { phrases: czech, messages: said } = TEXTS.cs;
      await at.page.getByRole("heading", { name: czech.order_title }).waitFor();
      expect(await at.page.getByRole("alert").textContent()).to.include(czech.fault_bound_code_wrong);
      expect(await at.page.getByLabel(czech.bound_code).inputValue()).to.equal("");
      expect(await readCode()).to.equal(code);
      await enter(at, code, "cs");
      expect(await at.heading()).to.equal(said.signing_approved.title);
    });
  }

  it("reads that a code was wrong, has a new one sent, and succeeds with that", async () => {
    const asked = await ask();
    const at = await arriveAt(asked);
    const first = await readCode();
    await enter(at, "0000 0000");
    expect(await at.page.getByRole("alert").textContent()).to.include(phrases.fault_bound_code_wrong);
    await at.press(phrases.new_code);
    const second = await readCode();
    expect(second).to.not.equal(first);
    await enter(at, second);
    expect(await at.heading()).to.equal(messages.signing_approved.title);
  });

  it("reads what to do when the browser refuses all cookies", async () => {
    const at = atPages(scene, await scene.visitorWithoutCookies());
    await at.page.goto((await ask()).url);
    await at.fillIn(scene.psu("petr"));
    await at.press(phrases.sign_in);
    expect(await at.heading()).to.equal(messages.cookies_missing.title);
  });

  it("reads the texts of a TPP as plain letters (UI-09, UI-10)", async () => {
    const message = `<img src=x onerror="alert(1)">{{7*7}}`;
    const at = await arriveAt(await ask({ ...DOMESTIC_ORDER, message }));
    expect(await at.page.getByText(message, { exact: true }).count()).to.equal(1);
    expect(await at.page.locator("main img").count()).to.equal(0);
  });
});
