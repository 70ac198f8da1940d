import { expect } from "chai";
import type { SandboxDocument } from "../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { authorizeAsPsu } from "../../packages/sandbox/src/tpp/authorize-as-psu.ts";
import { callbackUrl } from "../../packages/sandbox/src/tpp/callback-url.ts";
import { requireCertificate } from "../../packages/sandbox/src/tpp/command.ts";
import { openUsedSteps, usedStepsFile } from "../../packages/sandbox/src/tpp/used-steps-file.ts";
import { forgetUsedCodes, journeySandbox } from "../journeys/journey-sandbox.ts";
import { type AuthlibOrder, runAuthlib } from "./authlib.ts";

type Way = Pick<AuthlibOrder, "method" | "pkce" | "pushed"> & { readonly profile: "cobs" | "fapi2" };

const WAYS: Readonly<Record<string, Way>> = {
  "cobs, with a secret in the form and without PKCE (COBS PDF 1.4.3)": {
    profile: "cobs",
    method: "client_secret_post",
    pkce: false,
    pushed: false,
  },
  "cobs, with a secret in HTTP Basic and PKCE (RFC 7636)": {
    profile: "cobs",
    method: "client_secret_basic",
    pkce: true,
    pushed: false,
  },
  "fapi2, with a key, a pushed request and PKCE (FAPI 2.0 5.3.2)": {
    profile: "fapi2",
    method: "private_key_jwt",
    pkce: true,
    pushed: true,
  },
  "fapi2, with its certificate, a pushed request and PKCE (RFC 8705 2.1)": {
    profile: "fapi2",
    method: "tls_client_auth",
    pkce: true,
    pushed: true,
  },
};

describe("The journey of a TPP with Authlib, in Python", function authlib() {
  this.timeout(120_000);
  let sandbox: SandboxDocument;
  before(async () => {
    sandbox = await (await journeySandbox()).document();
  });
  beforeEach(() => forgetUsedCodes(sandbox));

  function orderOf({ method, pkce, pushed }: Way): AuthlibOrder {
    return {
      ...requireCertificate(sandbox, "all-roles"),
      issuer: sandbox.issuer,
      applications: `${sandbox.auth.mutualTls}/cobs/2.0/applications`,
      accounts: `${sandbox.resourceBase}/my/accounts`,
      redirectUri: callbackUrl(sandbox.callback.port),
      ca: sandbox.ca,
      method,
      pkce,
      pushed,
    };
  }

  /** The PSU's side, without a browser. */
  function authorize(url: URL): Promise<URL> {
    const context = { sandbox, usedSteps: openUsedSteps(usedStepsFile(sandbox.directory)), tell: () => {} };
    const redirectUri = callbackUrl(sandbox.callback.port);
    return authorizeAsPsu(context, { url, redirectUri, username: "petr", accounts: "all" });
  }

  for (const [name, way] of Object.entries(WAYS)) {
    it(`goes from the registration to the end of the consent in profile ${name}`, async () => {
      const seen = await runAuthlib(orderOf(way), (address) => {
        const { searchParams } = address;
        expect(searchParams.has("request_uri")).to.equal(way.pushed);
        expect(searchParams.has("code_challenge")).to.equal(way.pkce && !way.pushed);
        return authorize(address);
      });
      expect(seen).to.deep.equal({
        profile: way.profile,
        hasSecret: way.profile === "cobs",
        tokenType: "Bearer",
        accounts: 200,
        isNewToken: true,
        accountsAgain: 200,
        revoked: 200,
        refreshAfterRevocation: "invalid_grant",
        removed: 204,
        refreshAfterRemoval: "invalid_client",
      });
    });
  }
});
