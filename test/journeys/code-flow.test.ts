import { expect } from "chai";
import type { ReadySandbox } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { Tokens, TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { untilRefused } from "./until-refused.ts";

/** The OAuth error of a call that should be refused. */
async function errorOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    return error !== null && typeof error === "object" && "error" in error
      ? String(error.error)
      : String(error);
  }
  return "none";
}

describe("Journey of a TPP through both services", function journeys() {
  this.timeout(120_000);
  let document: ReadySandbox;
  let tpp: TppClient;

  before(async () => {
    document = await (await journeySandbox()).document();
    tpp = await journeyTpp("all-roles");
  });
  beforeEach(() => forgetUsedCodes(document));

  const accountsOf = async (client: TppClient, tokens: Tokens) => {
    const answer = await client.get(tokens.accessToken, "/my/accounts");
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const statusOf = async (tokens: Tokens) => (await accountsOf(tpp, tokens)).status;
  const refreshTokenOf = (tokens: Tokens) => tokens.refreshToken ?? "";

  it("shows exactly the accounts that the PSU chose (PSD2 Article 67)", async () => {
    const chosen =
      document.psus
        .find(({ username }) => username === "firma")
        ?.accounts.slice(3, 6)
        .map(({ id }) => id) ?? [];
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "firma", accounts: chosen });
    const { status, body } = await accountsOf(tpp, tokens);
    expect(status).to.equal(200);
    expect(body.accounts.map(({ id }: { id: string }) => id)).to.have.members(chosen);
    expect(body).to.include({ pageNumber: 0, pageCount: 1, nextPage: null, pageSize: 3, totalCount: 3 });
  });

  it("issues opaque access tokens of at most 1,017 bytes that say nothing of the PSU (COBS 2.0 1.2.11, A-31)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "jana" });
    const psu = document.psus.find(({ username }) => username === "jana");
    for (const token of [tokens.accessToken, refreshTokenOf(tokens)]) {
      expect(Buffer.byteLength(token)).to.be.lessThan(1_017);
      expect(token).not.to.include(".");
      for (const text of [token, Buffer.from(token, "base64url").toString("latin1")]) {
        expect(text).not.to.include(psu?.psuId);
        expect(text).not.to.include(psu?.username);
      }
    }
  });

  it("refreshes without rotation, and narrows but never widens (RFC 6749 6)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "petr", scope: "aisp" });
    const client = await tpp.oauth(application);
    const refreshed = await client.refresh(refreshTokenOf(tokens));
    expect((await accountsOf(tpp, refreshed)).status).to.equal(200);
    expect((await accountsOf(tpp, tokens)).status).to.equal(200);
    expect(await errorOf(client.refresh(refreshTokenOf(tokens), "aisp pisp"))).to.equal("invalid_scope");
    expect((await client.refresh(refreshTokenOf(tokens))).accessToken).to.be.a("string");
  });

  it("continues with a renewed certificate by a refresh, but not with the old access token (RFC 8705 4, 7.1)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "petr" });
    const renewed = await journeyTpp("all-roles-renewed");
    expect((await accountsOf(renewed, tokens)).status).to.equal(401);
    expect((await accountsOf(tpp, tokens)).status).to.equal(200);
    const again = await (await renewed.oauth(application)).refresh(refreshTokenOf(tokens));
    expect((await accountsOf(renewed, again)).status).to.equal(200);
    expect((await accountsOf(tpp, again)).status).to.equal(401);
  });

  it("loses a service at once when the current certificate loses the role (COBS 2.0 1.3.1)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "petr" });
    const withoutAisp = await journeyTpp("pisp");
    const again = await (await withoutAisp.oauth(application)).refresh(refreshTokenOf(tokens));
    expect((await accountsOf(withoutAisp, again)).status).to.equal(403);
    expect((await accountsOf(tpp, tokens)).status).to.equal(200);
  });

  it("ends everything under a consent when its refresh token is revoked (RFC 7009 2.1)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "marie" });
    const client = await tpp.oauth(application);
    expect((await accountsOf(tpp, tokens)).status).to.equal(200);
    await client.revoke(refreshTokenOf(tokens));
    expect(await errorOf(client.refresh(refreshTokenOf(tokens)))).to.equal("invalid_grant");
    await untilRefused(() => statusOf(tokens));
  });

  it("ends only the access token when that is revoked", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "marie" });
    const client = await tpp.oauth(application);
    await client.revoke(tokens.accessToken);
    await untilRefused(() => statusOf(tokens));
    expect((await accountsOf(tpp, await client.refresh(refreshTokenOf(tokens)))).status).to.equal(200);
  });

  it("ends the tokens and codes of a deleted application (COBS 2.0 1.4.1.4)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "jana" });
    const pending = await tpp.consent(application, { psu: "petr" });
    await tpp.applications.remove(application.clientId);
    expect(await errorOf(pending.redeem(pending.callback))).to.equal("invalid_client");
    expect(await errorOf((await tpp.oauth(application)).refresh(refreshTokenOf(tokens)))).to.equal(
      "invalid_client",
    );
    await untilRefused(() => statusOf(tokens));
  });

  it("ends the old secret at once when it is renewed (COBS 2.0 1.4.1.5)", async () => {
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "jana" });
    const answer = await tpp.fetch(
      `${document.auth.mutualTls}/cobs/2.0/applications/${application.clientId}/renewSecret`,
      {
        method: "POST",
        headers: {},
        body: undefined,
        redirect: "manual",
      },
    );
    expect(answer.status).to.equal(200);
    const { client_secret: clientSecret } = JSON.parse(await answer.text());
    expect(clientSecret).to.not.equal(application.clientSecret);
    expect(await errorOf((await tpp.oauth(application)).refresh(refreshTokenOf(tokens)))).to.equal(
      "invalid_client",
    );
    const renewed: TppApplication = { ...application, clientSecret };
    expect((await (await tpp.oauth(renewed)).refresh(refreshTokenOf(tokens))).accessToken).to.be.a("string");
  });

  it("replaces the earlier consent of the same PSU and application", async () => {
    const application = await tpp.register();
    const first = await tpp.authorize(application, { psu: "petr" });
    const second = await tpp.authorize(application, { psu: "petr" });
    expect((await accountsOf(tpp, second)).status).to.equal(200);
    expect(await errorOf((await tpp.oauth(application)).refresh(refreshTokenOf(first)))).to.equal(
      "invalid_grant",
    );
    await untilRefused(() => statusOf(first));
  });

  it("hides the PSU's accounts that they did not choose, and those of others", async () => {
    const [chosen] = document.psus.find(({ username }) => username === "petr")?.accounts ?? [];
    const application = await tpp.register();
    const tokens = await tpp.authorize(application, { psu: "petr", accounts: [chosen?.id ?? ""] });
    const { body } = await accountsOf(tpp, tokens);
    expect(body.totalCount).to.equal(1);
  });

  it("works with the printed curl line and the ready application", async () => {
    const { readyApplication } = document;
    const client = await journeyTpp(readyApplication.certificate);
    const answer = await client.get(readyApplication.tokens.aisp, "/my/accounts");
    expect(answer.status).to.equal(200);
    expect((await client.get(readyApplication.tokens.pisp, "/my/accounts")).status).to.equal(403);
  });
});
