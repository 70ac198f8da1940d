import { once } from "node:events";
import { createServer } from "node:http";
import { expect } from "chai";
import { page as tppPage } from "./callback-site.ts";
import { atPages, type PsuAtPages, TEXTS } from "./psu-at-pages.ts";
import { openScene, type Scene } from "./scene.ts";

const { phrases } = TEXTS.en;
const SCHEME = "com.example.budget";
const isForApp = (location: string | undefined) => location?.startsWith(`${SCHEME}:`) ?? false;

describe("The way back to an application, which no policy of ours may stop (UI-04)", function waysBack() {
  this.timeout(120_000);
  let scene: Scene;

  before(async () => {
    scene = await openScene();
  });

  it("leads on when the TPP redirects from its address, even to another origin", async () => {
    const landing = new URL("/landing", scene.site.url);
    landing.hostname = "127.0.0.1";
    scene.site.serve(landing.pathname, tppPage("Landed", "<h1>Landed</h1>"));
    scene.site.lead("/leading-on", landing.href);
    const { at } = await decided("web", new URL("/leading-on", scene.site.url).href);
    await at.press(phrases.agree);
    await at.page.waitForURL(landing.href);
    expect(await at.heading()).to.equal("Landed");
  });

  it("leads to an application on a computer at any port of loopback (RFC 8252 7.3)", async () => {
    const server = createServer((_, response) => {
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(tppPage("App", "<h1>App</h1>"));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new TypeError("no port");
    const { at } = await decided("native", `http://127.0.0.1:${address.port}/back`);
    await at.press(phrases.agree);
    await at.page.waitForURL((url) => url.port === String(address.port));
    expect(new URL(at.page.url()).searchParams.has("code")).to.equal(true);
    server.close();
    server.closeAllConnections();
  });

  for (const [does, button, member] of [
    ["agrees", phrases.agree, "code"],
    ["refuses", phrases.refuse, "error"],
  ] as const) {
    it(`leads to an application on a phone by its private-use scheme, when the PSU ${does} (RFC 8252 7.1)`, async () => {
      const { at, complaints } = await decided("native", `${SCHEME}:/back`);
      const led = at.page.waitForResponse((response) => isForApp(response.headers().location));
      await at.press(button);
      const { location = "" } = (await led).headers();
      expect(new URL(location).searchParams.has(member), location).to.equal(true);
      // What Chromium would stop, it would complain of before the next thing that it is told to do.
      await at.page.evaluate("document.title");
      expect(complaints.filter((text) => /Content Security Policy|form-action/i.test(text))).to.deep.equal(
        [],
      );
    });
  }

  /** Brings a PSU to the consent page of an application that wants to be answered at this address. */
  async function decided(applicationType: "web" | "native", redirectUri: string) {
    const { client_id: clientId, client_secret: clientSecret } = await scene.tpp.applications.register({
      applicationType,
      client_name: "Application of a test",
      redirect_uris: [redirectUri],
    });
    const begun = await (await scene.tpp.oauth({ clientId, clientSecret, redirectUri })).begin("aisp");
    const at: PsuAtPages = atPages(scene, await scene.visitor());
    const complaints: string[] = [];
    at.page.on("console", (message) => complaints.push(message.text()));
    await at.page.goto(begun.url.href);
    await at.signIn(scene.psu("petr"));
    await at.choose("all");
    return { at, complaints };
  }
});
