import { expect } from "chai";
import type { RawAnswer } from "../../support/raw-https.ts";
import { authorizePath, consent, openBrowser } from "../psu-browser.ts";
import { type RunningAuth, runAuth } from "../running-auth.ts";
import { REDIRECT_URI, REGISTRATION, register } from "../test-application.ts";
import { byReference, type Fapi2Application, postAs, push, VERIFIER } from "./fapi2-application.ts";

const OTHER_URI = "https://tpp.example/other";
const UNKNOWN = "urn:ietf:params:oauth:request_uri:none";

describe("What is sent beside the reference of a pushed request (RFC 9126 4, RFC 9101 6.3)", function beside() {
  this.timeout(60_000);
  let auth: RunningAuth;
  let application: Fapi2Application;
  before(async () => {
    auth = await runAuth();
    application = await registerTwoAddresses();
  });
  after(() => auth.stop());

  const sendBeside = (reference: string, query: string) =>
    openBrowser(auth).get(`${authorizePath(application, byReference(reference))}&${query}`);
  const expectPage = (answer: RawAnswer) => {
    expect(answer.status, answer.body).to.equal(400);
    expect(answer.headers).not.to.have.property("location");
  };

  it("overrides none of the pushed parameters", async () => {
    const beside = {
      response_type: "token",
      scope: "pisp",
      state: "other",
      redirect_uri: OTHER_URI,
      response_mode: "fragment",
      request: "e30.e30.",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      prompt: "none",
    };
    const request = byReference(await push(auth, application), beside);
    const back = await consent(auth, application, { request });
    expect(back.href.startsWith(`${REDIRECT_URI}?`), back.href).to.equal(true);
    expect(back.searchParams.get("state")).to.equal("xyz");
    const answer = await postAs(auth, application, "/oauth/token", {
      grant_type: "authorization_code",
      redirect_uri: REDIRECT_URI,
      code: back.searchParams.get("code") ?? "",
      code_verifier: VERIFIER,
    });
    expect(answer.status, answer.body).to.equal(200);
    expect(JSON.parse(answer.body).scope).to.equal("aisp");
  });

  const ignored: readonly (readonly [string, string])[] = [
    ["another response_type", "response_type=token"],
    [
      "another response_type and registered redirect_uri",
      `response_type=token&state=other&redirect_uri=${encodeURIComponent(OTHER_URI)}`,
    ],
    ["an unregistered redirect_uri", "redirect_uri=https%3A%2F%2Fevil.example%2F"],
    ["a request object", "request=e30.e30."],
    ["another resource", "resource=https%3A%2F%2Fevil.example%2F"],
    ["a parameter that comes twice", "state=a&state=b"],
  ];
  for (const [name, query] of ignored) {
    it(`is ignored if it is ${name}`, async () => {
      const answer = await sendBeside(await push(auth, application), query);
      expect(answer.headers.location, answer.body).to.match(/^\/oauth\/interaction\//);
    });
  }

  it("gets no report of an unknown reference (page, 400)", async () => {
    const query = new URLSearchParams({ response_type: "code", redirect_uri: REDIRECT_URI, state: "xyz" });
    expectPage(await sendBeside(UNKNOWN, `${query}`));
  });

  it("is refused if it is a second reference or application (page, 400; RFC 6749 3.1)", async () => {
    const reference = await push(auth, application);
    const { client_id } = application;
    for (const again of [
      { request_uri: reference },
      { request_uri: "https://tpp.example/r" },
      { client_id },
    ]) {
      const query = new URLSearchParams({ ...again, redirect_uri: REDIRECT_URI });
      expectPage(await sendBeside(reference, `${query}`));
    }
  });

  async function registerTwoAddresses(): Promise<Fapi2Application> {
    const redirect_uris = [REDIRECT_URI, OTHER_URI];
    const members = { ...REGISTRATION, token_endpoint_auth_method: "tls_client_auth", redirect_uris };
    const { client_id, certificate } = await register(auth, members);
    return { client_id, certificate, credentials: async () => ({ client_id }) };
  }
});
