import { expect } from "chai";
import { expectError } from "../expect-error.ts";
import { authorizePath, consent, openBrowser, signIn } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import {
  APPLICATIONS,
  JSON_BODY,
  postForm,
  REDIRECT_URI,
  register,
  type TestApplication,
} from "../test-application.ts";
import { codeFor, redeem } from "../use-tokens.ts";
import {
  byReference,
  CHALLENGE,
  createKey,
  type Fapi2Application,
  postAs,
  push,
  pushedFields,
  VERIFIER,
} from "./fapi2-application.ts";

const WITH_CHALLENGE = { code_challenge: CHALLENGE, code_challenge_method: "S256" };

describe("An application that moves up to profile fapi2", () => {
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(() => auth.stop());

  async function moveUp({ client_id, certificate }: TestApplication): Promise<Fapi2Application> {
    const { members, applicationOf } = await createKey();
    const path = `${APPLICATIONS}/${client_id}`;
    const body = JSON.stringify(members);
    const answer = await auth.call({ method: "PUT", path, headers: JSON_BODY, body });
    expect(answer.status, answer.body).to.equal(200);
    return applicationOf(client_id, certificate);
  }
  const redemption = (code: string | null, more = {}) => ({
    grant_type: "authorization_code",
    redirect_uri: REDIRECT_URI,
    code: code ?? "",
    ...more,
  });

  for (const [name, request, proof] of [
    ["without a challenge", {}, {}],
    ["with a challenge (RFC 7636)", WITH_CHALLENGE, { code_verifier: VERIFIER }],
  ] as const) {
    it(`loses a code that was asked for ${name} (invalid_grant)`, async () => {
      const application = await register(auth);
      const back = await consent(auth, application, { request });
      const moved = await moveUp(application);
      const fields = redemption(back.searchParams.get("code"), proof);
      expectError(await postAs(auth, moved, "/oauth/token", fields), 400, "invalid_grant");
    });
  }

  it("loses a pushed request (page, 400)", async () => {
    const application = await register(auth);
    const answer = await postForm(auth, "/oauth/par", application, pushedFields(application));
    expect(answer.status, answer.body).to.equal(201);
    const moved = await moveUp(application);
    const path = authorizePath(moved, byReference(JSON.parse(answer.body).request_uri));
    expect((await auth.browse({ path })).status).to.equal(400);
  });

  it("loses an authorization that waits for the sign-in", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application, WITH_CHALLENGE)));
    await moveUp(application);
    const answer = await browser.follow(await signIn(auth, browser, page));
    expect(answer.headers.location, answer.body).to.equal(undefined);
    expect(answer.status).to.be.within(400, 499);
  });

  it("loses an authorization that waits for the consent, and nothing of it is stored", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application, WITH_CHALLENGE)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    await moveUp(application);
    const answer = await browser.follow(await browser.post(consentPage, "consent", { choice: "all" }));
    expect(answer.headers.location, answer.body).to.equal(undefined);
    const text = "SELECT count(*)::int AS given FROM consent WHERE application_id = $1";
    const given = await auth.database.run({ name: "given", text, values: [application.client_id] });
    expect(given).to.deep.equal([{ given: 0 }]);
  });

  it("loses an authorization that was consented to, before its code is issued (invalid_request)", async () => {
    const application = await register(auth);
    const browser = openBrowser(auth);
    const page = await browser.follow(await browser.get(authorizePath(application, WITH_CHALLENGE)));
    const consentPage = await browser.follow(await signIn(auth, browser, page));
    const onTheWay = await browser.post(consentPage, "consent", { choice: "all" });
    await moveUp(application);
    const { location } = (await browser.follow(onTheWay)).headers;
    const { searchParams } = new URL(String(location));
    expect([searchParams.get("error"), searchParams.get("code")]).to.deep.equal(["invalid_request", null]);
  });

  it("can begin anew by its new rules", async () => {
    const application = await register(auth);
    await consent(auth, application);
    const moved = await moveUp(application);
    const back = await consent(auth, moved, { request: byReference(await push(auth, moved)) });
    const fields = redemption(back.searchParams.get("code"), { code_verifier: VERIFIER });
    const answer = await postAs(auth, moved, "/oauth/token", fields);
    expect(answer.status, answer.body).to.equal(200);
  });

  it("loses a consent when its used code is sent again (RFC 6749 4.1.2)", async () => {
    const application = await register(auth);
    const code = await codeFor(auth, application);
    const { refresh_token } = JSON.parse((await redeem(auth, application, code)).body);
    const moved = await moveUp(application);
    expectError(await postAs(auth, moved, "/oauth/token", redemption(code)), 400, "invalid_grant");
    const refresh = { grant_type: "refresh_token", refresh_token };
    expectError(await postAs(auth, moved, "/oauth/token", refresh), 400, "invalid_grant");
  });
});
