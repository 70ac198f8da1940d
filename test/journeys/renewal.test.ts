import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import type { Tokens, TppApplication } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { authorizePlainly, refreshForm } from "./plain-authorization.ts";
import { postTokenForm } from "./post-token-form.ts";

describe("TPP whose certificate is renewed", function renewal() {
  this.timeout(120_000);
  let document: SandboxDocument;
  let former: TppClient;
  let renewed: TppClient;

  before(async () => {
    document = await (await journeySandbox()).document();
    former = await journeyTpp("all-roles");
    renewed = await journeyTpp("all-roles-renewed");
  });
  beforeEach(() => forgetUsedCodes(document));

  const statusOf = async (client: TppClient, accessToken: string) => {
    const answer = await client.get(accessToken, "/my/accounts");
    await answer.text();
    return answer.status;
  };
  const refresh = async (
    certificate: string,
    application: TppApplication,
    tokens: Tokens,
    scope?: string,
  ) => {
    const form = { ...refreshForm(application, tokens.refreshToken ?? ""), ...(scope && { scope }) };
    return postTokenForm(await journeyTpp(certificate), document.auth.mutualTls, form);
  };
  const accessTokenOf = (answer: Awaited<ReturnType<typeof refresh>>) => {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return String(answer.body.access_token);
  };
  const authorized = async (psu: string) => {
    const application = await former.register();
    return { application, tokens: await former.authorize(application, { psu, scope: "aisp pisp" }) };
  };

  it("manages its applications with the new one at once (EBA Q&A 2021_6029)", async () => {
    const { client_id } = await former.applications.register({
      applicationType: "web",
      client_name: "Before",
      redirect_uris: ["https://tpp.example/before"],
    });
    const ids = (await renewed.applications.list()).map((each) => each.client_id);
    expect(ids).to.include(client_id);
    const changed = {
      applicationType: "web",
      client_name: "After",
      redirect_uris: ["https://tpp.example/after"],
    };
    const answer = await renewed.fetch(`${document.auth.mutualTls}/cobs/2.0/applications/${client_id}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(changed),
      redirect: "manual",
    });
    expect(answer.status).to.equal(200);
    expect(JSON.parse(await answer.text())).to.include({ client_id, client_name: "After" });
  });

  it("refreshes with the new one: the token is bound to it and shows the same accounts (RFC 8705 7.1)", async () => {
    const { application, tokens } = await authorized("jana");
    const token = accessTokenOf(await refresh("all-roles-renewed", application, tokens));
    const read = async (client: TppClient, accessToken: string) =>
      JSON.parse(await (await client.get(accessToken, "/my/accounts")).text());
    expect(await statusOf(renewed, token)).to.equal(200);
    expect(await statusOf(former, token)).to.equal(401);
    expect(await read(renewed, token)).to.deep.equal(await read(former, tokens.accessToken));
  });

  it("uses an old access token only with the old certificate, while there is a new one (RFC 8705 3)", async () => {
    const { application, tokens } = await authorized("jana");
    accessTokenOf(await refresh("all-roles-renewed", application, tokens));
    expect(await statusOf(former, tokens.accessToken)).to.equal(200);
    expect(await statusOf(renewed, tokens.accessToken)).to.equal(401);
  });

  it("redeems with the new one a code requested with the old one", async () => {
    const application = await former.register();
    const form = await authorizePlainly(document, application, "petr");
    const answer = await postTokenForm(renewed, document.auth.mutualTls, form);
    const token = accessTokenOf(answer);
    expect(await statusOf(renewed, token)).to.equal(200);
    expect(await statusOf(former, token)).to.equal(401);
  });

  it("may use several valid ones at once, each with tokens of its own", async () => {
    const { application, tokens } = await authorized("petr");
    const names = ["all-roles", "all-roles-renewed", "aisp-pisp", "aisp"];
    const issued = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const name = names[index % names.length] ?? "";
        return { name, token: accessTokenOf(await refresh(name, application, tokens)) };
      }),
    );
    for (const { name, token } of issued) {
      for (const other of names) {
        expect(await statusOf(await journeyTpp(other), token), `${name} with ${other}`).to.equal(
          other === name ? 200 : 401,
        );
      }
    }
  });

  it("loses access with a role at the next call, and regains it with the role (RTS Article 34)", async () => {
    const { application, tokens } = await authorized("jana");
    const pisp = await refresh("pisp", application, tokens);
    expect(pisp.body.scope).to.equal("pisp");
    expect(await statusOf(await journeyTpp("pisp"), accessTokenOf(pisp))).to.equal(403);
    const aisp = await refresh("aisp", application, tokens);
    expect(aisp.body.scope).to.equal("aisp");
    expect(await statusOf(await journeyTpp("aisp"), accessTokenOf(aisp))).to.equal(200);
    const none = await refresh("pisp", application, tokens, "aisp");
    expect([none.status, none.body.error]).to.deep.equal([400, "invalid_scope"]);
    const back = await refresh("all-roles-renewed", application, tokens);
    expect(back.body.scope).to.equal("aisp pisp");
    expect(await statusOf(renewed, accessTokenOf(back))).to.equal(200);
  });

  it("is another TPP under another organisation identifier, whatever else is the same", async () => {
    const { application, tokens } = await authorized("petr");
    const answer = await refresh("second-tpp", application, tokens);
    expect([answer.status, answer.body.error]).to.deep.equal([401, "invalid_client"]);
    expect((await refresh("all-roles-renewed", application, tokens)).status).to.equal(200);
  });
});
