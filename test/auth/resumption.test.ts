import { expect } from "chai";
import { cs } from "../../packages/auth/src/pages/texts/cs.ts";
import type { RawAnswer } from "../support/raw-https.ts";
import { authorizePath, openBrowser, type PsuBrowser, signIn } from "./psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  REDIRECT_URI,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";

const OTHER_URI = "https://tpp.example/other";
const STOP_LIST = "/operator/stop-list";

describe("A resumed authorization", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth({ BANK_CALLERS: "resource=introspect,feed;operator=operator;auth=accounts" });
  });
  after(() => auth.stop());

  const expectPage = (answer: RawAnswer, status: number) => {
    expect(answer.status, answer.body).to.equal(status);
    expect(answer.headers).not.to.have.property("location");
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
  };
  const expectCode = (answer: RawAnswer) => expect(answer.headers.location).to.contain("code=");
  const expectError = (answer: RawAnswer, address: string, error = "access_denied") =>
    expect(String(answer.headers.location).startsWith(`${address}?error=${error}&`), answer.body).to.equal(
      true,
    );
  const placeOf = ({ headers }: RawAnswer) => String(headers.location).replace(ISSUER, "");
  const resumptionOf = (step: string) => step.replace("/interaction/", "/authorize/");

  const begin = async (browser: PsuBrowser, application: TestApplication) =>
    browser.follow(await browser.get(authorizePath(application)));
  const decline = async (application: TestApplication) => {
    const browser = openBrowser(auth);
    return { browser, declined: await browser.post(await begin(browser, application), "cancel") };
  };
  const replace = (application: TestApplication, changed: Readonly<Record<string, unknown>>) =>
    auth.call({
      method: "PUT",
      path: `${APPLICATIONS}/${application.client_id}`,
      headers: JSON_BODY,
      body: JSON.stringify({ ...REGISTRATION, ...changed }),
    });
  const registerAddress = (application: TestApplication, redirect_uri: string) =>
    replace(application, { redirect_uris: [redirect_uri] });

  it("is refused while its page has no answer yet, and the page stays usable", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const signInStep = placeOf(await browser.get(authorizePath(application)));
    expectPage(await browser.get(resumptionOf(signInStep)), 400);
    const signedIn = await signIn(auth, browser, await browser.get(signInStep));
    const consentStep = placeOf(await browser.get(placeOf(signedIn)));
    expectPage(await browser.get(resumptionOf(consentStep)), 400);
    const given = await browser.post(await browser.get(consentStep), "consent", { choice: "all" });
    expectCode(await browser.follow(given));
  });

  it("reports that the PSU declined only to an address that is registered at that moment (REG-11)", async () => {
    const application = await register(auth);
    const { browser, declined } = await decline(application);
    await registerAddress(application, OTHER_URI);
    expectPage(await browser.follow(declined), 400);
    await registerAddress(application, REDIRECT_URI);
    expectError(await browser.follow(declined), REDIRECT_URI);
  });

  it("reports a refused scope only to an address that is registered at that moment (REG-11)", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const start = await browser.get(authorizePath(application, { scope: "aisp pisp" }));
    const registerNarrow = (redirect_uri: string) =>
      replace(application, { redirect_uris: [redirect_uri], scopes: ["aisp"] });
    await registerNarrow(REDIRECT_URI);
    const refused = await browser.get(placeOf(start));
    await registerNarrow(OTHER_URI);
    expectPage(await browser.follow(refused), 400);
    await registerNarrow(REDIRECT_URI);
    expectError(await browser.follow(refused), REDIRECT_URI, "invalid_scope");
  });

  it("reports a refused scope even if it is registered again, and shows no page, at either step", async () => {
    const signInStep = async (browser: PsuBrowser, application: TestApplication) =>
      placeOf(await browser.get(authorizePath(application, { scope: "aisp pisp" })));
    const consentStep = async (browser: PsuBrowser, application: TestApplication) => {
      const page = await browser.get(await signInStep(browser, application));
      return placeOf(await browser.get(placeOf(await signIn(auth, browser, page))));
    };
    for (const reach of [signInStep, consentStep]) {
      const application = await register(auth);
      const browser = openBrowser(auth);
      const step = await reach(browser, application);
      await replace(application, { scopes: ["aisp"] });
      const refused = await browser.get(step);
      await replace(application, {});
      const again = await browser.get(step);
      expect([again.status, placeOf(again)], reach.name).to.deep.equal([303, placeOf(refused)]);
      expectError(await browser.follow(again), REDIRECT_URI, "invalid_scope");
    }
  });

  it("reports a sign-in ended by another PSU only to an address registered at that moment (REG-11)", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const [first, second] = [await begin(browser, application), await begin(browser, application)];
    const signedIn = await signIn(auth, browser, first, "jana");
    await browser.follow(await signIn(auth, browser, second, "petr"));
    await registerAddress(application, OTHER_URI);
    expectPage(await browser.follow(signedIn), 400);
    await registerAddress(application, REDIRECT_URI);
    expectError(await browser.follow(signedIn), REDIRECT_URI);
  });

  it("tells even a PSU who has declined that the TPP was blocked meanwhile (PSD2 Article 68(5))", async () => {
    const { browser, declined } = await decline(await register(auth));
    const { organisationIdentifier } = auth.tpp("aisp-pisp");
    const body = JSON.stringify({ tpp: organisationIdentifier, reason: "a test" });
    const order = (path: string) =>
      auth.callAsBank({ method: "POST", path, headers: JSON_BODY, body }, "operator");
    await order(STOP_LIST);
    const told = await browser.follow(declined);
    expect((await order(`${STOP_LIST}/release`)).status).to.equal(200);
    expectPage(told, 403);
    expectError(await browser.follow(declined), REDIRECT_URI);
  });

  it("tells a PSU who has consented that there is no way back, and links to their consents", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const page = await browser.follow(await signIn(auth, browser, await begin(browser, application)));
    const given = await browser.post(page, "consent", { choice: "all" });
    await registerAddress(application, OTHER_URI);
    const told = await browser.follow(given);
    expectPage(told, 400);
    expect(told.body).to.contain(cs.messages.return_address_removed.title).and.to.contain('href="/consents"');
    expect(told.body).to.not.contain("nezměnilo");
  });
});
