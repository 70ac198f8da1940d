import { EdgeRefusal, PrivateServiceUnavailable } from "@cobs/service-edge";
import { expect } from "chai";
import { FormRefusal } from "../../../../packages/auth/src/forms/form-refusal.ts";
import { createPageErrorPresenter } from "../../../../packages/auth/src/http/pages/present-page-error.ts";
import { createPages } from "../../../../packages/auth/src/pages/pages.ts";
import { AuthorizationRefusal } from "../../../../packages/auth/src/provider/authorization-refusal.ts";

const present = createPageErrorPresenter(createPages({ bankName: "Sandbox Bank" }));
const CALL = { requestId: "request-1", method: "GET", path: "/oauth/authorize", acceptLanguage: "en" };

function titleOf(error: unknown, path = CALL.path): string {
  const { answer } = present(error, { ...CALL, path });
  expect(answer.headers ?? {}).to.not.have.property("Location");
  return `${answer.status} ${/<h1>([^<]*)/.exec(answer.html ?? "")?.[1]}`;
}

describe("The error page", () => {
  it("never redirects when the application or redirect URI is unknown (RFC 6749 4.1.2.1)", () => {
    for (const code of ["invalid_client", "invalid_redirect_uri", "invalid_request"]) {
      expect(titleOf(new AuthorizationRefusal(code, 400, "raw <input>"))).to.equal(
        "400 The application sent you with a request that we cannot accept",
      );
    }
  });

  it("tells the developers of the application what is wrong", () => {
    const reasonFor = (code: string) =>
      present(new AuthorizationRefusal(code, 400, "raw"), CALL).answer.html?.match(/[a-z_]+, [a-z][^<]*/g);
    expect(reasonFor("invalid_client")).to.include(
      "invalid_client, client_id is not a registered application",
    );
    expect(reasonFor("unsupported_response_type")).to.include(
      "unsupported_response_type, and redirect_uri is missing",
    );
  });

  it("says what to do when an authorization has expired on the way", () => {
    const refusal = new AuthorizationRefusal("invalid_request", 400, "authorization request has expired");
    expect(titleOf(refusal, "/oauth/authorize/abc")).to.equal("400 This page is no longer valid");
  });

  it("keeps the status of a refusal by the service edge", () => {
    expect(titleOf(new EdgeRefusal("route_unknown", "nothing"))).to.equal("404 There is no such page");
    expect(titleOf(new EdgeRefusal("body_too_large", "large"))).to.match(/^413 /);
  });

  it("answers 503 and asks to try again when a part is down", () => {
    const down = Object.assign(new Error("down"), { code: "ECONNREFUSED" });
    for (const error of [down, new PrivateServiceUnavailable("resource", {})]) {
      expect(titleOf(error)).to.equal("503 The service is not available at the moment");
      expect(present(error, CALL).answer.headers).to.deep.equal({ "Retry-After": "2" });
    }
  });

  it("shows the request id of an unexpected error and nothing of the error itself", () => {
    const { answer, logFacts } = present(new Error("SELECT secret FROM /etc"), CALL);
    expect(answer.status).to.equal(500);
    expect(answer.html).to.contain("request-1").and.not.contain("SELECT");
    expect(logFacts.error).to.be.instanceOf(Error);
  });

  it("never repeats text of the request", () => {
    const refusal = new AuthorizationRefusal(
      "invalid_client",
      400,
      "client <script>alert(1)</script> is unknown",
    );
    expect(present(refusal, CALL).answer.html).to.not.contain("alert");
  });

  it("is in the language that the PSU has chosen, else in that of the browser", () => {
    const answer = present(new Error("x"), { ...CALL, acceptLanguage: undefined }).answer;
    expect(answer.html).to.contain('<html lang="cs">');
    const chosen = present(new Error("x"), { ...CALL, cookie: "a=b; __Host-language=cs" }).answer;
    expect(chosen.html).to.contain('<html lang="cs">');
  });

  it("leads back to the page of the form, and never where a crafted path points (UI-07)", () => {
    const hrefAfter = (path: string, error: unknown = new FormRefusal("form_untrusted", "no")) =>
      /class="button primary" href="([^"]*)"/.exec(present(error, { ...CALL, path }).answer.html ?? "")?.[1];
    expect(hrefAfter("/consents/withdraw")).to.equal("/consents");
    expect(hrefAfter("/authenticator")).to.equal("/authenticator");
    expect(hrefAfter("/sign/abc-_/approve", new Error("x"))).to.equal("/sign/abc-_");
    expect(hrefAfter("/oauth/interaction/a_B-1/consent")).to.equal("/oauth/interaction/a_B-1");
    for (const path of [
      "/",
      "//evil.example/consents",
      "/consentsevil",
      "/sign/",
      "/sign/%2F%2Fevil",
      "/oauth/token",
    ]) {
      expect(hrefAfter(path), path).to.equal(undefined);
    }
    const down = new PrivateServiceUnavailable("resource", {});
    expect(hrefAfter("/oauth/authorize/abc", down)).to.equal("/oauth/authorize/abc");
    expect(hrefAfter("/oauth/authorize", down)).to.equal(undefined);
    const gone = new AuthorizationRefusal("invalid_request", 400, "over");
    expect(hrefAfter("/oauth/authorize/abc", gone)).to.equal(undefined);
  });
});
