import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { openDesk, pathOf, type SigningDesk } from "../signing/signing-desk.ts";
import { FORM_BODY, register, type TestApplication } from "../test-application.ts";

const EVIL = "evil.example";
const ELSEWHERE = [
  `https://${EVIL}/`,
  `//${EVIL}/`,
  `/\\${EVIL}`,
  `javascript:alert("${EVIL}")`,
  `\r\nLocation: //${EVIL}`,
];
/** Names that other servers take addresses in, and those of ours. */
const NAMES = [
  "lang",
  "next",
  "return",
  "return_to",
  "redirect",
  "redirect_uri",
  "url",
  "continue",
  "state",
  "iss",
  "code",
  "error_uri",
];
const SIGN_IN = { username: "nobody", password: "wrong", one_time_code: "000000" };

/** A consent as the database keeps it. */
interface Kept {
  readonly psu_id: string;
  readonly services: readonly string[];
  readonly account_ids: readonly string[];
  readonly lasts: { readonly days: number };
}

/** A form as its page shows it. */
interface ShownForm {
  readonly action: string;
  readonly token: string;
  readonly fields: URLSearchParams;
}

function formsOf({ body }: RawAnswer): readonly ShownForm[] {
  return body
    .split("<form")
    .slice(1)
    .map((part) => {
      const own = part.split("</form>")[0] ?? "";
      const action = /action="([^"]+)"/.exec(own)?.[1] ?? "";
      const fields = new URLSearchParams();
      for (const [, name = "", value = ""] of own.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)) {
        fields.append(name, value);
      }
      return { action, token: fields.get("token") ?? "", fields };
    });
}

describe("The pages of auth", function pagesOfAuth() {
  this.timeout(120_000);
  let auth: RunningAuth;
  let application: TestApplication;
  let desk: SigningDesk;
  before(async () => {
    auth = await runAuth({ BANK_CALLERS: "resource=introspect,feed,signing;operator=operator" });
    application = await register(auth);
    desk = await openDesk(auth);
  });
  after(() => auth.stop());

  const cookiesOf = ({ cookies }: PsuBrowser, path: string) =>
    [...cookies.values()]
      .filter((cookie) => cookie.path === "/" || path.startsWith(`${cookie.path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  const post = (form: ShownForm, browser: PsuBrowser, changed: Readonly<Record<string, string>> = {}) => {
    const headers = { ...FORM_BODY, cookie: cookiesOf(browser, form.action), ...changed };
    return auth.browse({ method: "POST", path: form.action, headers, body: form.fields.toString() });
  };

  /** Every page that has a form, in a browser of its own, before the sign-in and after it. */
  async function everyForm(): Promise<readonly { readonly browser: PsuBrowser; readonly page: RawAnswer }[]> {
    const told = await desk.request();
    const places = [authorizePath(application), "/authenticator", "/consents", pathOf(told)];
    const shown: { browser: PsuBrowser; page: RawAnswer }[] = [];
    for (const place of places) {
      const browser = openBrowser(auth);
      const first = await browser.follow(await browser.get(place));
      shown.push({ browser, page: first });
      if (place === "/consents" && first.status === 404) continue;
      const other = openBrowser(auth);
      const page = await other.follow(await other.get(place));
      shown.push({ browser: other, page: await other.follow(await signIn(auth, other, page)) });
    }
    return shown;
  }

  it("refuse a form from another site, without its token, or with another form's token (UI-01)", async () => {
    const shown = await everyForm();
    const forms = shown.flatMap(({ browser, page }) => formsOf(page).map((form) => ({ browser, form })));
    expect(forms.length).to.be.at.least(12);
    const strangers = forms.map(({ form }) => form.token);
    for (const { browser, form } of forms) {
      for (const headers of [
        { origin: `https://${EVIL}` },
        { origin: `http://localhost:8443` },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
      ]) {
        expect(
          (await post(form, browser, headers)).status,
          `${form.action} ${JSON.stringify(headers)}`,
        ).to.equal(403);
      }
      for (const token of [undefined, "", "x", strangers.find((each) => each !== form.token)]) {
        const fields = new URLSearchParams(form.fields);
        fields.delete("token");
        if (token !== undefined) fields.set("token", token);
        const { status, body } = await post({ ...form, fields }, browser);
        expect(status, `${form.action} ${token}`).to.be.oneOf([400, 403]);
        expect(body).to.match(/class="button primary" href="\/[a-z]/);
      }
    }
  });

  it("lead only to their own places and the registered address, whatever a query or a form names (UI-07)", async () => {
    const queries = ELSEWHERE.map((place) =>
      NAMES.map((name) => `${name}=${encodeURIComponent(place)}`).join("&"),
    );
    for (const { browser, page } of await everyForm()) {
      const forms = formsOf(page);
      const place = forms[0]?.action.replace(/\/[^/]*$/, "") ?? "";
      for (const [index, form] of forms.entries()) {
        const fields = new URLSearchParams({ ...Object.fromEntries(form.fields), ...SIGN_IN });
        for (const name of NAMES) fields.set(name, ELSEWHERE[index % ELSEWHERE.length] ?? "");
        expectOurs(await post({ ...form, fields }, browser), form.action);
      }
      for (const query of queries) {
        for (const path of [place, `${place}/return`])
          expectOurs(await browser.get(`${path}?${query}`), path);
      }
    }
    for (const path of [
      `//${EVIL}/consents`,
      `/sign/..%2f..%2f${EVIL}`,
      `/\\${EVIL}`,
      "/sign-in/return?state=x",
    ]) {
      expectOurs(await auth.browse({ path }), path);
    }
  });

  it("have a content security policy without foreign content, and are never cached (UI-02, UI-17)", async () => {
    for (const { page } of await everyForm()) {
      const { headers } = page;
      expect(headers["content-security-policy"]).to.equal(
        "default-src 'none';style-src 'self';script-src 'self';img-src 'self' data:;base-uri 'none';frame-ancestors 'none'",
      );
      expect(headers).to.include({
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
      });
    }
  });

  it("admit nobody with cookies that were known before the sign-in (UI-05)", async () => {
    for (const place of [
      authorizePath(application),
      "/authenticator",
      "/consents",
      pathOf(await desk.request()),
    ]) {
      const browser = openBrowser(auth);
      const page = await browser.follow(await browser.get(place));
      const action = formsOf(page).find((form) => form.action.endsWith("/sign-in"))?.action ?? "";
      const known = cookiesOf(browser, action);
      const inside = await browser.follow(await signIn(auth, browser, page));
      expect(inside.body, place).to.not.contain("current-password");
      for (const path of [action.replace(/\/sign-in$/, ""), place]) {
        const stranger = await auth.browse({ path, headers: { cookie: known } });
        expect(stranger.status, path).to.be.oneOf([200, 303, 404]);
        if (stranger.status === 200) expect(stranger.body, path).to.contain("current-password");
      }
    }
  });

  it("let no form widen a consent to a foreign account, another scope, a later end or another PSU (UI-12)", async () => {
    const kept = async () => {
      const text =
        "SELECT psu_id, services, account_ids, valid_until - authenticated_at AS lasts FROM consent WHERE application_id = $1";
      const rows = await auth.database.run<Kept>({
        name: "kept-consents",
        text,
        values: [application.client_id],
      });
      return rows.map(({ lasts: { days }, ...row }) => ({ ...row, days }));
    };
    const { browser, page } = await consentPage();
    const stolen = await browser.post(page, "consent", { choice: "some", account: "account-of-petr" });
    expect([stolen.status, await kept()]).to.deep.equal([422, []]);
    const wider = {
      scope: "aisp pisp",
      psu: "psu-petr",
      valid_until: "2099-01-01",
      account_ids: "account-2",
    };
    await browser.follow(
      await browser.post(page, "consent", { choice: "some", account: "account-1", ...wider }),
    );
    const [account_ids, services] = [["account-1"], ["aisp"]];
    expect(await kept()).to.deep.equal([{ psu_id: "psu-jana", services, account_ids, days: 180 }]);
  });

  /** A browser on the consent page of one who is asked for account information alone. */
  async function consentPage() {
    const browser = openBrowser(auth);
    const first = await browser.follow(await browser.get(authorizePath(application)));
    return { browser, page: await browser.follow(await signIn(auth, browser, first)) };
  }

  function expectOurs({ status, headers, body }: RawAnswer, sent: string) {
    const ours =
      /^(\/(?![\\/])|https:\/\/localhost:8443\/|https:\/\/tpp\.example\/|#|data:,|otpauth:\/\/totp\/)/;
    const shown = [...body.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, target]) => target);
    for (const target of [headers.location ?? "/", ...shown]) expect(target, sent).to.match(ours);
    expect(body, sent).to.not.match(/http-equiv/i);
    expect(status, sent).to.be.below(500);
  }
});
