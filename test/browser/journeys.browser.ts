import { expect } from "chai";
import { fillText } from "../../packages/auth/src/pages/texts/texts.ts";
import { EVERY_LOOK } from "./looks.ts";
import { arrive, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;

describe("The journey of a PSU in a browser", function journeys() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  for (const look of EVERY_LOOK) {
    const { language } = look;
    it(`leads from the application to exactly the ticked accounts: ${look.name}`, async () => {
      const psu = scene.psu("petr");
      const ticked = psu.accounts.slice(1).map(({ id }) => id);
      const at = await arrive(scene, { look: look.browser, language });

      expect(await at.heading()).to.equal(TEXTS[language].phrases.sign_in_title);
      await at.signIn(psu);
      await at.choose(ticked);
      await at.press(TEXTS[language].phrases.agree);
      const back = await at.back();

      expect([...back.searchParams.keys()]).to.have.members(["code", "state", "iss"]);
      expect(back.searchParams.get("state")).to.equal(at.url.searchParams.get("state"));
      expect(back.searchParams.get("iss")).to.equal(scene.document.issuer);
      expect(await scene.accountIds(await at.redeem(back))).to.have.members(ticked);
    });
  }

  it("shows the TPP three of the thirty-four accounts of a company, when three are ticked (PSD2 Article 67)", async () => {
    const psu = scene.psu("firma");
    const ticked = [2, 17, 33].map((index) => psu.accounts[index]?.id ?? "");
    const at = await arrive(scene);
    await at.signIn(psu);
    expect(await at.page.getByRole("checkbox").count()).to.equal(34);
    expect(await at.page.getByRole("checkbox", { checked: true }).count()).to.equal(0);
    await at.choose(ticked);
    await at.press(phrases.agree);
    expect(await scene.accountIds(await at.redeem(await at.back()))).to.have.members(ticked);
  });

  it("asks a PSU with a single account only whether they agree", async () => {
    const psu = scene.psu("jana");
    const at = await arrive(scene);
    await at.signIn(psu);
    expect(await at.page.getByRole("radio").count()).to.equal(0);
    expect(await at.page.getByText(spaced(psu.accounts[0]?.iban)).count()).to.equal(1);
    await at.press(phrases.agree);
    expect(await scene.accountIds(await at.redeem(await at.back()))).to.deep.equal([psu.accounts[0]?.id]);
  });

  it("offers no accounts when payments alone are requested, and its token shows none", async () => {
    const at = await arrive(scene, { scope: "pisp" });
    await at.signIn(scene.psu("petr"));
    expect(await at.page.getByRole("checkbox").count()).to.equal(0);
    await at.press(phrases.agree);
    const tokens = await at.redeem(await at.back());
    expect(tokens.scope).to.equal("pisp");
    expect((await scene.tpp.get(tokens.accessToken, "/my/accounts")).status).to.equal(403);
  });

  it("names company, licence, application, accounts and end on the consent page (UI-11)", async () => {
    const psu = scene.psu("petr");
    const at = await arrive(scene, { scope: "aisp pisp" });
    const earliest = endOfConsent();
    await at.signIn(psu);
    const certificate = scene.document.certificates.find(({ name }) => name === "all-roles");
    const told = [
      certificate?.organisationName,
      certificate?.organisationIdentifier,
      "“Application of a test”",
      psu.displayName,
      ...psu.accounts.flatMap(({ iban, name }) => [spaced(iban), name]),
    ];
    const text = (await at.page.getByRole("main").textContent()) ?? "";
    for (const each of told) expect(text).to.include(each);
    // Midnight may come while the PSU signs in.
    expect(
      [earliest, endOfConsent()].filter((day) => text.includes(day)),
      text,
    ).not.to.be.empty;
  });

  it("leads back with access_denied, state and iss when the PSU cancels at the sign-in (RFC 6749 4.1.2.1)", async () => {
    const at = await arrive(scene);
    await at.press(`Cancel and return to ${scene.site.url.host}`);
    expectDenied(await at.back(), at.url);
  });

  it("leads back with access_denied, state and iss when the PSU refuses on the consent page, ticks or not", async () => {
    for (const username of ["firma", "petr"]) {
      const psu = scene.psu(username);
      const at = await arrive(scene);
      await at.signIn(psu);
      if (username === "petr") await at.choose(psu.accounts.map(({ id }) => id));
      await at.press(phrases.refuse);
      expectDenied(await at.back(), at.url);
    }
  });

  it("changes its language with the switch, and keeps it on the next page", async () => {
    const at = await arrive(scene, { look: { locale: "cs-CZ" } });
    expect(await at.page.locator("html").getAttribute("lang")).to.equal("cs");
    await at.page.getByRole("link", { name: "English" }).click();
    expect(await at.heading()).to.equal(phrases.sign_in_title);
    await at.signIn(scene.psu("petr"));
    expect(await at.heading()).to.equal(phrases.consent_title_aisp);
    await at.page.getByRole("button", { name: "Čeština" }).click();
    await at.page.getByRole("heading", { name: TEXTS.cs.phrases.consent_title_aisp }).waitFor();
    await at.page.reload();
    expect(await at.heading()).to.equal(TEXTS.cs.phrases.consent_title_aisp);
    expect(new URL(at.page.url()).pathname).to.match(/^\/oauth\/interaction\/[^/]+$/);
    await at.page.getByRole("button", { name: TEXTS.cs.phrases.refuse, exact: true }).click();
    expectDenied(await at.back(), at.url);
  });

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? "with JavaScript" : "without JavaScript";
    it(`keeps ticks and search text when the language is changed, and shares the ticked alone: ${scripts}`, async () => {
      const psu = scene.psu("firma");
      const ticked = [2, 17, 33].map((index) => psu.accounts[index]?.id ?? "");
      const at = await arrive(scene, { look: { javaScriptEnabled } });
      await at.signIn(psu);
      await at.choose(ticked);
      await at.page.getByRole("searchbox").fill("EUR");
      await at.page.getByRole("button", { name: "Čeština" }).click();
      const { phrases: czech } = TEXTS.cs;
      await at.page.getByRole("heading", { name: czech.consent_title_aisp }).waitFor();
      expect(await at.page.getByRole("searchbox").inputValue()).to.equal("EUR");
      expect(await at.page.getByText(fillText(czech.ticked_count, { count: 3 })).count()).to.equal(1);
      await at.press(czech.agree);
      expect(await scene.accountIds(await at.redeem(await at.back()))).to.have.members(ticked);
    });
  }

  it("says in another language too what was wrong with a choice, until that is right", async () => {
    const psu = scene.psu("petr");
    const at = await arrive(scene, { look: { javaScriptEnabled: false } });
    await at.signIn(psu);
    await at.page.getByRole("radio").nth(1).check();
    await at.press(phrases.agree);
    expect(await at.page.getByRole("alert").textContent()).to.include(phrases.fault_account_missing);
    const { phrases: czech } = TEXTS.cs;
    await at.page.getByRole("button", { name: "Čeština" }).click();
    await at.page.getByRole("heading", { name: czech.consent_title_aisp }).waitFor();
    expect(await at.page.getByRole("alert").textContent()).to.include(czech.fault_account_missing);
    await at.choose(psu.accounts.slice(1).map(({ id }) => id));
    await at.page.getByRole("button", { name: "English" }).click();
    await at.page.getByRole("heading", { name: phrases.consent_title_aisp }).waitFor();
    expect(await at.page.getByRole("alert").count()).to.equal(0);
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  for (const [scope, username] of [
    ["aisp", "jana"],
    ["pisp", "petr"],
  ] as const)
    it(`says in another language too that a page has changed on which nothing is chosen: ${scope}`, async () => {
      const at = await arrive(scene, { scope });
      await at.signIn(scene.psu(username));
      expect(await at.page.getByRole("radio").count()).to.equal(0);
      await at.page.evaluate("document.querySelector('[name=shown]').value = 'other'");
      await at.press(phrases.agree);
      expect(await at.page.getByRole("alert").textContent()).to.include(phrases.fault_changed);
      const { phrases: czech } = TEXTS.cs;
      await at.page.getByRole("button", { name: "Čeština" }).click();
      await at.page.getByRole("heading", { name: czech[`consent_title_${scope}`] }).waitFor();
      expect(await at.page.getByRole("alert").textContent()).to.include(czech.fault_changed);
      await at.press(czech.agree);
      expect((await at.back()).searchParams.has("code")).to.equal(true);
    });

  it("searches with Enter in the search field, and agrees with Enter on a tick, without changing the language", async () => {
    const long = await arrive(scene);
    await long.signIn(scene.psu("firma"));
    await long.page.getByRole("searchbox").fill("EUR");
    await long.page.getByRole("searchbox").press("Enter");
    await long.page.getByRole("status").waitFor();
    expect(await long.page.locator("html").getAttribute("lang")).to.equal("en");
    const psu = scene.psu("petr");
    const at = await arrive(scene);
    await at.signIn(psu);
    await at.choose(psu.accounts.slice(1).map(({ id }) => id));
    await at.page.getByRole("checkbox", { checked: true }).press("Enter");
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  function expectDenied({ searchParams }: URL, begun: URL) {
    expect(searchParams.get("error")).to.equal("access_denied");
    expect(searchParams.get("state")).to.equal(begun.searchParams.get("state"));
    expect(searchParams.get("iss")).to.equal(scene.document.issuer);
    expect(searchParams.has("code")).to.equal(false);
  }
});

/** The day to which a consent is valid that is given now, as the page tells it: no line ends between day and month. */
function endOfConsent(): string {
  const until = new Date(Date.now() + 180 * 24 * 60 * 60 * 1000);
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Europe/Prague" });
  return format.format(until).replace(" ", "\u00A0");
}

/** An IBAN in groups of four, as ISO 13616 prints it. */
function spaced(iban = ""): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}
