import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";
import { register } from "./test-application.ts";

describe("An authorization that is resumed", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  const expectPage = (answer: RawAnswer, status: number) => {
    expect(answer.status, answer.body).to.equal(status);
    expect(answer.headers).not.to.have.property("location");
    expect(answer.headers["content-type"]).to.equal("text/html; charset=utf-8");
  };
  const expectCode = (answer: RawAnswer) => expect(answer.headers.location).to.contain("code=");
  const placeOf = ({ headers }: RawAnswer) => String(headers.location).replace(ISSUER, "");
  const resumptionOf = (step: string) => step.replace("/interaction/", "/authorize/");

  it("leads nowhere from a page that has no answer yet, and the page still waits: no authorization is made longer so", async () => {
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
});
