import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";

const HOSTILE_LOGO = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><image href="https://evil.example/x"/></svg>`;

const CONTACT = "tel:+420-800-123-456";
const PRIVACY_NOTICE = "https://bank.example/privacy?from=a&to=b";

describe("The look of a bank in browsers", function themeServed() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let auth: RunningAuth;
  before(async () => {
    const logo = join(folder.path, "logo.svg");
    writeFileSync(logo, HOSTILE_LOGO);
    auth = await runAuth({
      BANK_NAME: "Bank <Green>",
      BANK_COLOR: "#006b3c",
      BANK_LOGO_FILE: logo,
      BANK_CONTACT: CONTACT,
      BANK_PRIVACY_URL: PRIVACY_NOTICE,
    });
  });
  after(async () => {
    await auth.stop();
    folder.remove();
  });

  it("shows the name as plain letters, the colour in the stylesheet, and nothing inline", async () => {
    const { body } = await auth.browse({ path: "/authenticator" });
    expect(body).to.contain("Bank &lt;Green&gt;</p>").and.not.contain("#006b3c");
    const stylesheet = /href="(\/assets\/pages\.[0-9a-f]{16}\.css)"/.exec(body)?.[1] ?? "";
    const { status, headers, body: css } = await auth.browse({ path: stylesheet });
    expect([status, headers["content-type"]]).to.deep.equal([200, "text/css; charset=utf-8"]);
    expect(css).to.match(/^:root \{\n {2}--bank-light: #006b3c;/);
  });

  it("shows at the foot of every page how to reach the bank (WCAG 2.2 3.2.6)", async () => {
    const link = `<a href="${CONTACT}" translate="no">+420\u00a0800\u00a0123\u00a0456</a>`;
    for (const path of ["/authenticator", "/consents", "/docs", "/sign/unknown", "/nowhere"]) {
      const [, foot = ""] = (await auth.browse({ path })).body.split('<footer class="frame foot">');
      expect(foot.trim(), path)
        .to.match(/^<p>[^<]+: /)
        .and.contain(link);
    }
  });

  it("links at the foot of every page to the bank's notice about personal data (GDPR Article 13)", async () => {
    const link = `<a href="${PRIVACY_NOTICE.replace("&", "&amp;")}">`;
    for (const [path, words] of [
      ["/authenticator?lang=cs", "Jak nakládáme s\u00a0vašimi osobními údaji"],
      ["/consents?lang=en", "How we handle your personal data"],
      ["/nowhere", "Jak nakládáme s\u00a0vašimi osobními údaji"],
    ] as const) {
      const [, foot] = (await auth.browse({ path })).body.split('<footer class="frame foot">');
      expect(foot, path).to.contain(`${link}${words}</a>`);
    }
  });

  it("has a logo that can run no script and load nothing from elsewhere (UI-09, UI-17)", async () => {
    const { body } = await auth.browse({ path: "/authenticator" });
    const logo = /<img src="(\/assets\/logo\.[0-9a-f]{16}\.svg)" alt=""/.exec(body)?.[1] ?? "";
    const answer = await auth.browse({ path: logo });
    expect([answer.status, answer.body]).to.deep.equal([200, HOSTILE_LOGO]);
    expect(answer.headers).to.include({
      "content-type": "image/svg+xml",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "public, max-age=31536000, immutable",
    });
    for (const other of ["/assets/logo.svg", "/assets/..%2flogo.svg", logo.replace(/.svg$/, ".png")]) {
      expect((await auth.browse({ path: other })).status, other).to.equal(404);
    }
  });
});
