/** A consent without payments, and one that its application lost them with: neither leaves a token that AG01 would be told to. */
import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { refreshForm } from "./plain-authorization.ts";
import { postTokenForm } from "./post-token-form.ts";

const PSU = "petr";

describe("Consent without payments (A-63)", function lostConsent() {
  this.timeout(120_000);
  let document: SandboxDocument;
  let tpp: TppClient;
  before(async () => {
    document = await (await journeySandbox()).document();
    tpp = await journeyTpp("all-roles");
    await forgetUsedCodes(document);
  });

  /** Status and code of R4, R5 and R7, which refuse before they look at what they are asked. */
  async function refusals(token: string): Promise<readonly string[]> {
    const calls = [
      ["POST", "/my/payments/balanceCheck"],
      ["POST", "/my/payments"],
      ["GET", "/my/payments/1"],
    ] as const;
    return await Promise.all(
      calls.map(async ([method, path]) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const sent = {
          method,
          headers,
          body: method === "POST" ? "{}" : undefined,
          redirect: "manual",
        } as const;
        const answer = await tpp.fetch(`${document.resourceBase}${path}`, sent);
        const { errors } = JSON.parse(await answer.text());
        return `${answer.status} ${errors.map(({ error }: { error: string }) => error).join(" ")}`;
      }),
    );
  }

  it("that never had them gives a token without `pisp`: 403 FORBIDDEN at every payment call (RFC 6750 3.1)", async () => {
    const application = await tpp.register();
    const { accessToken } = await tpp.authorize(application, { psu: PSU, scope: "aisp" });
    expect(await refusals(accessToken)).to.deep.equal(Array(3).fill("403 FORBIDDEN"));
  });

  it("that lost them with its application has ended with all its tokens: 401 at every call, accounts too", async () => {
    const application = await tpp.register();
    const { accessToken, refreshToken } = await tpp.authorize(application, { psu: PSU, scope: "aisp pisp" });
    const narrowed = {
      applicationType: "web",
      client_name: "Application of a test",
      redirect_uris: [application.redirectUri],
      scopes: ["aisp"],
    };
    const changed = await tpp.fetch(
      `${document.auth.mutualTls}/cobs/2.0/applications/${application.clientId}`,
      {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(narrowed),
        redirect: "manual",
      },
    );
    expect(changed.status).to.equal(200);

    expect(await refusals(accessToken)).to.deep.equal(Array(3).fill("401 UNAUTHORISED"));
    expect((await tpp.get(accessToken, "/my/accounts")).status).to.equal(401);
    const form = refreshForm(application, refreshToken ?? "");
    const refreshed = await postTokenForm(tpp, document.auth.mutualTls, form);
    expect(refreshed.body).to.include({ error: "invalid_grant" });
  });
});
