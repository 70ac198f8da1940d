import { expect } from "chai";
import { arrive, atPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;

describe("A sign-in that does not succeed at once", function signIn() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  it("does not tell which of name, password and code was wrong (RTS Article 4(3)(a))", async () => {
    const petr = scene.psu("petr");
    const wrongCode = await refusalOf(petr, { oneTimeCode: "000000" });
    expect(wrongCode).to.include(phrases.fault_sign_in_refused);
    expect(await refusalOf(petr, { password: "wrong" })).to.equal(wrongCode);
    expect(await refusalOf({ ...petr, username: "nobody" })).to.equal(wrongCode);
  });

  it("leads from the summary to the first field, without marking that one wrong (WCAG 2.2 3.3.1)", async () => {
    const { page, press, fillIn } = await arrive(scene);
    await fillIn(scene.psu("petr"), { oneTimeCode: "000000" });
    await press(phrases.sign_in);
    await page.getByRole("alert").getByRole("link", { name: phrases.fault_sign_in_refused }).click();
    await page.locator("#username:focus").waitFor();
    expect(await page.locator("[aria-invalid]").count()).to.equal(0);
  });

  it("keeps the username, clears password and code, and succeeds with the right ones", async () => {
    const psu = scene.psu("petr");
    const at = await arrive(scene);
    await at.fillIn(psu, { oneTimeCode: "000000" });
    await at.press(phrases.sign_in);
    await at.page.getByRole("alert").waitFor();
    expect(await at.page.getByLabel(phrases.username).inputValue()).to.equal("petr");
    expect(await at.page.getByLabel(phrases.password).inputValue()).to.equal("");
    expect(await at.page.getByLabel(phrases.one_time_code).inputValue()).to.equal("");
    await at.signIn(psu);
    await at.choose("all");
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  it("keeps the username when the language is changed after a try, and says in that language what was wrong", async () => {
    const psu = scene.psu("petr");
    const at = await arrive(scene);
    await at.fillIn(psu, { oneTimeCode: "000000" });
    await at.press(phrases.sign_in);
    await at.page.getByRole("alert").waitFor();
    await at.page.getByRole("button", { name: "Čeština" }).click();
    const { phrases: czech } = TEXTS.cs;
    await at.page.getByRole("heading", { name: czech.sign_in_title }).waitFor();
    expect(await at.page.getByLabel(czech.username).inputValue()).to.equal("petr");
    expect(await at.page.getByRole("alert").textContent()).to.include(czech.fault_sign_in_refused);
    await atPages(scene, at.page, "cs").signIn(psu);
  });

  it("names empty fields beside them and in a summary that has the focus and links to them (WCAG 2.2 3.3.1)", async () => {
    const { page, press } = await arrive(scene);
    await page.getByLabel(phrases.username).fill("petr");
    await press(phrases.sign_in);
    const summary = page.getByRole("alert");
    await page.locator("[role=alert]:focus").waitFor();
    expect(await page.title()).to.match(/^Error: /);
    await summary.getByRole("link", { name: phrases.fault_password_missing }).click();
    const password = page.getByLabel(phrases.password);
    await page.locator("#password:focus").waitFor();
    expect(await password.getAttribute("aria-invalid")).to.equal("true");
    const described = (await password.getAttribute("aria-describedby")) ?? "";
    expect(await page.locator(`#${described}`).textContent()).to.equal(phrases.fault_password_missing);
  });

  it("asks on the consent page for a missing choice, and keeps what was ticked", async () => {
    const psu = scene.psu("petr");
    const [, second] = psu.accounts;
    const at = await arrive(scene);
    await at.signIn(psu);
    await at.press(phrases.agree);
    expect(await at.page.getByRole("alert").textContent()).to.include(phrases.fault_choice_missing);
    await at.choose([second?.id ?? ""]);
    await at.page.getByRole("radio").first().check();
    await at.press(phrases.agree);
    expect(await at.page.getByRole("alert").textContent()).to.include(phrases.fault_choice_ambiguous);
    const ticked = at.page.getByRole("checkbox", { checked: true });
    expect(await ticked.getAttribute("value")).to.equal(second?.id);
    await at.page.getByRole("radio").nth(1).check();
    await at.press(phrases.agree);
    expect(await scene.accountIds(await at.redeem(await at.back()))).to.deep.equal([second?.id]);
  });

  it("leads on a phone from the summary to the choice, with question and fault in view (WCAG 2.2 3.3.1)", async () => {
    const at = await arrive(scene, { look: { viewport: { width: 320, height: 640 } } });
    await at.signIn(scene.psu("petr"));
    await at.press(phrases.agree);
    await at.page.getByRole("alert").getByRole("link", { name: phrases.fault_choice_missing }).click();
    await at.page.locator("#choice:focus").waitFor();
    for (const part of ["#choice-legend", "#choice-fault"]) {
      const place = await at.page.locator(part).boundingBox();
      expect(place?.y, part).to.be.within(0, 640);
    }
  });

  async function refusalOf(psu: ReturnType<Scene["psu"]>, instead = {}): Promise<string> {
    const { page, press, fillIn } = await arrive(scene);
    await fillIn(psu, instead);
    await press(phrases.sign_in);
    return (await page.getByRole("alert").textContent()) ?? "";
  }
});
