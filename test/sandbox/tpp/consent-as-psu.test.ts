import { expect } from "chai";
import { consentAsPsu, type PsuActs } from "../../../packages/sandbox/src/tpp/consent-as-psu.ts";
import type { FormBrowser, Visit } from "../../../packages/sandbox/src/tpp/form-browser.ts";
import { rejectionOf } from "../../support/rejection.ts";

const URL_OF_PAGE = new URL("https://bank.example/oauth/interaction/x");
const CALLBACK = new URL("https://tpp.example/callback?code=c&state=s");

const SIGN_IN = `<form action="/oauth/interaction/x/sign-in" method="post"><input type="hidden" name="token" value="t&amp;1">
  <input name="username" type="text" autocomplete="username"><input name="password" type="password">
  <input name="one_time_code" autocomplete="one-time-code"><button>Sign in</button></form><form action="/oauth/interaction/x/cancel"></form>`;
const CONSENT = `<form action="/oauth/interaction/x/consent" method="post"><input type="hidden" name="token" value="t2">
  <input type="radio" name="choice" value="all" checked><input type="radio" name="choice" value="some">
  <input type="checkbox" name="account" value="a1"><input type="checkbox" name="account" value="a2"></form>`;
const MESSAGE = `<title>Sorry</title><p>No form here</p>`;

const page = (html: string): Visit => ({ kind: "page", url: URL_OF_PAGE, status: 200, html });

/** A browser that shows the given visits one after the other, and what was submitted in between. */
function scripted(...visits: readonly Visit[]) {
  const submitted: { readonly path: string; readonly fields: string }[] = [];
  const left = [...visits];
  const next = async (): Promise<Visit> => left.shift() ?? page(MESSAGE);
  const browser: FormBrowser = {
    open: next,
    submit: (url, fields) => {
      submitted.push({ path: url.pathname, fields: fields.toString() });
      return next();
    },
  };
  return { browser, submitted };
}

function psu(accounts: PsuActs["accounts"]): PsuActs {
  let step = 0;
  const nextCode = async () => {
    step += 1;
    return { code: `00000${step}`, step };
  };
  return { username: "jana", password: "p w", nextCode, accounts };
}

const returned: Visit = { kind: "returned", url: CALLBACK };

describe("PSU without a browser", () => {
  it("fills in the bank's own forms, hidden fields included, and returns with the code", async () => {
    const { browser, submitted } = scripted(page(SIGN_IN), page(CONSENT), returned);
    expect(await consentAsPsu(browser, URL_OF_PAGE, psu("all"))).to.equal(CALLBACK);
    expect(submitted).to.deep.equal([
      {
        path: "/oauth/interaction/x/sign-in",
        fields: "token=t%261&username=jana&password=p+w&one_time_code=000001",
      },
      { path: "/oauth/interaction/x/consent", fields: "token=t2&choice=all" },
    ]);
  });

  it("ticks the named accounts, and no others", async () => {
    const { browser, submitted } = scripted(page(CONSENT), returned);
    await consentAsPsu(browser, URL_OF_PAGE, psu(["a2"]));
    expect(submitted[0]?.fields).to.equal("token=t2&choice=some&account=a2");
  });

  it("tries another code when the bank asks again", async () => {
    const { browser, submitted } = scripted(page(SIGN_IN), page(SIGN_IN), returned);
    await consentAsPsu(browser, URL_OF_PAGE, psu("all"));
    expect(submitted[1]?.fields).to.include("one_time_code=000002");
  });

  it("gives up after three sign-ins, in the page's words, so that the PSU is not blocked", async () => {
    const refused = page(`<p role="alert">Something <b>was</b> wrong</p>${SIGN_IN}`);
    const { browser, submitted } = scripted(...Array<Visit>(9).fill(refused));
    const refusal = await rejectionOf(consentAsPsu(browser, URL_OF_PAGE, psu("all")));
    expect(refusal).to.include({ code: "not_authorized" });
    expect(refusal.message).to.include("Something was wrong");
    expect(submitted).to.have.lengthOf(3);
  });

  it("gives up on a page that leads nowhere, with its title", async () => {
    const refusal = await rejectionOf(consentAsPsu(scripted(page(MESSAGE)).browser, URL_OF_PAGE, psu("all")));
    expect(refusal.message).to.include("Sorry");
    expect(refusal).to.include({ hint: undefined });
  });

  it("passes on what the page says to developers and the bank's support", async () => {
    const lines = ["For the developers: <span>invalid_client</span>", "Reference: <code>r1</code>"];
    const html = MESSAGE + lines.map((line) => `<p class="reference">${line}</p>`).join("");
    const refusal = await rejectionOf(consentAsPsu(scripted(page(html)).browser, URL_OF_PAGE, psu("all")));
    expect(refusal).to.include({ hint: "For the developers: invalid_client\nReference: r1" });
  });
});
