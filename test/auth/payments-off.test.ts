import { expect } from "chai";
import type { RawAnswer } from "../support/raw-https.ts";
import { expectError } from "./expect-error.ts";
import { pushedFields } from "./profiles/fapi2-application.ts";
import { authorizePath, consent, openBrowser, signIn } from "./psu-browser.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";
import { openDesk, pathOf } from "./signing/signing-desk.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  postRegistration,
  REGISTRATION,
  register,
  type TestApplication,
} from "./test-application.ts";
import { refresh, tokensFor } from "./use-tokens.ts";

const METADATA = "/.well-known/oauth-authorization-server";
const BOTH = { request: { scope: "aisp pisp" } };
const { scopes: _, ...WITHOUT_SCOPES } = REGISTRATION;

describe("A bank that offers no payments, at auth", function payments() {
  this.timeout(60_000);
  /** A process from when the bank still offered them, and one from afterwards. */
  let former: RunningAuth;
  let auth: RunningAuth;
  let earlier: TestApplication;
  before(async () => {
    former = await runAuth();
    auth = await runAuth({ PAYMENTS: "off" }, former);
    earlier = await register(former);
  });
  after(async () => {
    await auth.stop();
    await former.stop();
  });

  const put = ({ client_id }: TestApplication, scopes: readonly string[]) =>
    auth.call({
      method: "PUT",
      path: `${APPLICATIONS}/${client_id}`,
      headers: JSON_BODY,
      body: JSON.stringify({ ...REGISTRATION, scopes }),
    });
  const expectNotOffered = (answer: RawAnswer) => {
    expectError(answer, 400, "invalid_scope");
    expect(JSON.parse(answer.body).error_description).to.contain("this bank offers no payments");
  };
  const scopeOf = (answer: RawAnswer) => JSON.parse(answer.body).scope;

  it("names aisp alone in its metadata (RFC 8414 2)", async () => {
    const { scopes_supported } = JSON.parse((await auth.browse({ path: METADATA })).body);
    expect(scopes_supported).to.deep.equal(["aisp"]);
  });

  it("refuses to register an application for payments, and registers one without scopes for accounts", async () => {
    expectNotOffered(await postRegistration(auth, REGISTRATION));
    expectNotOffered(await postRegistration(auth, { ...REGISTRATION, scopes: ["pisp"] }));
    expectNotOffered(await postRegistration(auth, WITHOUT_SCOPES, "pisp"));
    expect((await register(auth, { scopes: undefined })).scopes).to.deep.equal(["aisp"]);
  });

  it("lets an application keep its scopes, and add none for payments", async () => {
    const kept = await put(earlier, ["aisp", "pisp"]);
    expect([kept.status, JSON.parse(kept.body).scopes]).to.deep.equal([200, ["aisp", "pisp"]]);
    expectNotOffered(await put(await register(auth, { scopes: ["aisp"] }), ["aisp", "pisp"]));
  });

  it("refuses an authorization for payments with invalid_scope, and otherwise asks for accounts (RFC 6749 4.1.2.1)", async () => {
    for (const scope of ["aisp pisp", "pisp"]) {
      const answer = await openBrowser(auth).get(authorizePath(earlier, { scope }));
      const { searchParams } = new URL(String(answer.headers.location));
      expect(Object.fromEntries(searchParams)).to.include({ error: "invalid_scope", scope: "pisp" });
      expect(searchParams.get("error_description")).to.contain("not offered by this bank");
      const pushed = await postForm(auth, "/oauth/par", earlier, pushedFields(earlier, { scope }));
      expectError(pushed, 400, "invalid_scope");
      expect(JSON.parse(pushed.body).error_description).to.contain("not offered by this bank");
    }
    const { refresh_token } = await tokensFor(auth, earlier, { request: { scope: undefined } });
    expect(scopeOf(await refresh(former, earlier, refresh_token))).to.equal("aisp");
  });

  it("ends an authorization for payments that was begun before", async () => {
    const browser = openBrowser(former);
    const page = await browser.follow(await browser.get(authorizePath(earlier, BOTH.request)));
    await signIn(former, browser, page);
    const moved = openBrowser(auth);
    for (const cookie of browser.cookies.values()) moved.plant(cookie);
    const [, path = ""] = /action="([^"]+)\/sign-in"/.exec(page.body) ?? [];
    const { headers } = await moved.follow(await moved.get(path));
    const { searchParams } = new URL(String(headers.location));
    expect(Object.fromEntries(searchParams)).to.include({ error: "invalid_scope", scope: "pisp" });
    expect(searchParams.get("error_description")).to.contain("no longer offered by this bank");
  });

  it("leaves payments out of the tokens of consents given before, which keep them", async () => {
    const { refresh_token } = await tokensFor(former, earlier, BOTH);
    expect(scopeOf(await refresh(auth, earlier, refresh_token))).to.equal("aisp");
    expect(scopeOf(await refresh(former, earlier, refresh_token))).to.equal("aisp pisp");
    const alone = await register(former, { scopes: ["pisp"] });
    const { refresh_token: ofPayments } = await tokensFor(former, alone, { request: { scope: "pisp" } });
    const refused = await refresh(auth, alone, ofPayments);
    expectError(refused, 400, "invalid_scope");
    expect(JSON.parse(refused.body).error_description).to.equal("this bank offers none of the scopes");
  });

  it("refuses an application for payments alone, whatever it asks for, and names no scope if it named none", async () => {
    const alone = await register(former, { scopes: ["pisp"] });
    for (const scope of ["pisp", "aisp", undefined]) {
      const answer = await openBrowser(auth).get(authorizePath(alone, { scope }));
      const { searchParams } = new URL(String(answer.headers.location));
      const told = [searchParams.get("error"), searchParams.get("scope")];
      expect(told).to.deep.equal(["invalid_scope", scope ?? null]);
      const pushed = await postForm(auth, "/oauth/par", alone, pushedFields(alone, { scope }));
      expectError(pushed, 400, "invalid_scope");
      expect(JSON.parse(pushed.body).scope).to.equal(scope);
    }
  });

  it("lets a PSU still decide on an order that came before", async () => {
    const desk = await openDesk(former);
    await consent(former, desk.application, BOTH);
    const told = await desk.request();
    const browser = openBrowser(auth);
    const page = await browser.follow(await signIn(auth, browser, await browser.get(pathOf(told))));
    await browser.post(page, "approve", { code: await desk.newestCode() });
    expect((await desk.find(told.id)).state).to.equal("approved");
  });
});
