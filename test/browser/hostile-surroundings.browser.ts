import { expect } from "chai";
import type { BrowserContext, Page } from "playwright-core";
import { journeyTpp, runSql } from "../journeys/journey-sandbox.ts";
import { asksForCertificate } from "./asks-for-certificate.ts";
import { page as tppPage } from "./callback-site.ts";
import { arrive, atPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases, messages } = TEXTS.en;
const MARKUP = "<img src=x onerror=document.title=1><b>Bank</b> & {{7*7}} <%= 7*7 %>";

describe("The pages in hostile surroundings", function hostileSurroundings() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  it("show markup in the names of an application and a company as plain letters (UI-09, UI-10)", async () => {
    const tpp = await journeyTpp("second-tpp");
    const redirectUri = scene.site.url.href;
    const { client_id: clientId, client_secret: clientSecret } = await tpp.applications.register({
      applicationType: "web",
      client_name: MARKUP,
      redirect_uris: [redirectUri],
    });
    const { url } = await (await tpp.oauth({ clientId, clientSecret, redirectUri })).begin("aisp");
    await runSql(
      scene.document.databases.auth,
      "UPDATE tpp SET organisation_name = $1 WHERE organisation_identifier = (SELECT owner FROM application WHERE id = $2)",
      [MARKUP, clientId],
    );
    const at = atPages(scene, await scene.visitor());
    await at.page.goto(url.href);
    await expectLetters(at.page);
    await at.signIn(scene.psu("petr"));
    await expectLetters(at.page);
  });

  it("ask no other origin for anything, set no cookie but their own, and log nothing", async () => {
    const at = await arrive(scene);
    const context = at.page.context();
    const complaints: string[] = [];
    at.page.on("console", (message) => complaints.push(message.text()));
    at.page.on("pageerror", (error) => complaints.push(error.message));
    const requests = recordRequests(context);
    await at.page.reload();
    await at.signIn(scene.psu("firma"));
    await at.choose("all");
    await at.press(phrases.agree);
    await at.back();
    const { issuer } = scene.document;
    expect(
      requests.filter((url) => new URL(url).origin !== issuer && !url.startsWith("data:")),
    ).to.deep.equal([at.page.url()]);
    expect(requests.length).to.be.greaterThan(5);
    expect(complaints).to.deep.equal([]);
    for (const cookie of await context.cookies()) {
      expect(cookie.name).to.match(/^__(Host|Secure)-/);
      expect(cookie).to.include({ domain: "localhost", secure: true, httpOnly: true, sameSite: "Lax" });
    }
  });

  it("are not shown in a frame of another site (UI-02)", async () => {
    const { url } = await scene.begin();
    scene.site.serve(
      "/framing",
      tppPage("Framing", `<iframe src="${url.href.replaceAll("&", "&amp;")}"></iframe>`),
    );
    const page = await scene.visitor();
    const refused = page.waitForEvent("console", (message) =>
      /frame-ancestors|X-Frame-Options/i.test(message.text()),
    );
    await page.goto(new URL("/framing", scene.site.url).href);
    await refused;
    const frame = page.frames()[1];
    expect(await frame?.getByRole("button").count()).to.equal(0);
  });

  it("accept no form that another site makes the browser send (UI-01)", async () => {
    const at = await arrive(scene);
    await at.signIn(scene.psu("petr"));
    const action = `${at.page.url()}/cancel`;
    const token = await at.page.locator("#cancel input[name=token]").inputValue();
    scene.site.serve(
      "/forging",
      tppPage(
        "Forging",
        `<form method="post" action="${action}"><input name="token" value="${token}"><button>Send</button></form>`,
      ),
    );
    const forging = atPages(scene, await at.page.context().newPage());
    await forging.page.goto(new URL("/forging", scene.site.url).href);
    await forging.press("Send");
    expect(forging.page.url()).to.equal(action);
    expect(await forging.heading()).to.equal(messages.form_untrusted.title);
    await at.choose("all");
    await at.press(phrases.agree);
    expect((await at.back()).searchParams.has("code")).to.equal(true);
  });

  it("never ask the browser for a certificate, as the API host does (TLS-09)", async () => {
    const { auth, ca } = scene.document;
    expect(await asksForCertificate(auth.browser, ca)).to.equal(false);
    expect(await asksForCertificate(auth.mutualTls, ca)).to.equal(true);
  });

  async function expectLetters(page: Page) {
    const said = await page.getByRole("main").textContent();
    expect(said?.split(MARKUP)).to.have.length.of.at.least(3);
    expect(await page.locator("main img, main b").count()).to.equal(0);
    expect(await page.title()).to.match(/Sandbox Bank$/);
  }
});

function recordRequests(context: BrowserContext): readonly string[] {
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  return requests;
}
