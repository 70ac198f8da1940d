import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { requireCertificate } from "../../packages/sandbox/src/tpp/command.ts";
import { openOAuthClient } from "../../packages/sandbox/src/tpp/oauth-client.ts";
import { until } from "../support/eventually.ts";
import type { TppClient } from "../support/tpp-client.ts";
import { forgetUsedCodes, journeySandbox, journeyTpp } from "./journey-sandbox.ts";
import { openOnOauth4webapi } from "./oauth4webapi-client.ts";
import { openOnOpenidClient5 } from "./openid-client-5-client.ts";

const CERTIFICATE = "all-roles";

/** Client libraries that know nothing of this server but its metadata. The first is built on the second. */
const LIBRARIES = {
  "openid-client 6": async () => openOAuthClient,
  oauth4webapi: async () => openOnOauth4webapi,
  "openid-client 5": async (sandbox: SandboxDocument) =>
    openOnOpenidClient5(sandbox, requireCertificate(sandbox, CERTIFICATE)),
};

/** An application of each profile, in each way to authenticate. */
const APPLICATIONS = {
  "cobs, with a secret": (tpp: TppClient) => tpp.register(),
  "fapi2, with a key": (tpp: TppClient) => tpp.registerFapi2("key"),
  "fapi2, with its certificate": (tpp: TppClient) => tpp.registerFapi2("certificate"),
};

for (const [library, open] of Object.entries(LIBRARIES)) {
  describe(`Journey of a TPP on ${library}`, function profiles() {
    this.timeout(120_000);
    let document: SandboxDocument;
    let tpp: TppClient;
    before(async () => {
      document = await (await journeySandbox()).document();
      tpp = await journeyTpp(CERTIFICATE, await open(document));
    });
    beforeEach(() => forgetUsedCodes(document));

    for (const [profile, register] of Object.entries(APPLICATIONS)) {
      it(`goes from the registration to the end of the consent in profile ${profile}`, async () => {
        const application = await register(tpp);
        const client = await tpp.oauth(application);
        const tokens = await tpp.authorize(application, { psu: "petr", scope: "aisp" });
        const accounts = new URL(`${document.resourceBase}/my/accounts`);
        const headers = new Headers({ "content-type": "application/json" });
        expect((await client.call(tokens.accessToken, accounts, { headers })).status).to.equal(200);
        const refreshed = await client.refresh(tokens.refreshToken ?? "");
        expect((await client.call(refreshed.accessToken, accounts, { headers })).status).to.equal(200);
        await client.revoke(tokens.refreshToken ?? "");
        expect(await errorOf(client.refresh(tokens.refreshToken ?? ""))).to.equal("invalid_grant");
        await until(
          async () => (await tpp.get(refreshed.accessToken, "/my/accounts")).status === 401,
          "the access token has ended with the consent",
        );
        await tpp.applications.remove(application.clientId);
        expect(await errorOf(tpp.oauth(application).then((gone) => gone.refresh("none")))).to.equal(
          "invalid_client",
        );
      });
    }
  });
}

/** The OAuth error of a call that should be refused. */
async function errorOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "none",
    (error: Error & { error?: string }) => error.error ?? String(error),
  );
}
