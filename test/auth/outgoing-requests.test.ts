import { readFileSync } from "node:fs";
import { expect } from "chai";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { outgoingCount } from "../support/outgoing-count.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { type DeliveryStandIn, startDeliveryStandIn, take } from "./delivery/delivery-stand-in.ts";
import { type RunningUpstream, runUpstream } from "./psu/upstream/running-upstream.ts";
import { authorizePath, openBrowser, signIn } from "./psu-browser.ts";
import { ISSUER, type RunningAuth, runAuth } from "./running-auth.ts";
import { openDesk, pathOf } from "./signing/signing-desk.ts";
import { FORM_BODY, REGISTRATION, register } from "./test-application.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

describe("Durations of what auth asks of others", function outgoingRequests() {
  this.timeout(120_000);
  let auth: RunningAuth;
  const countOf = (target: string, outcome: string) => outgoingCount(auth.ports.operator, target, outcome);

  describe("with its own login", () => {
    let service: DeliveryStandIn;
    before(async () => {
      const { server, privateCaFile, caFile } = await testCertificates();
      service = await startDeliveryStandIn(server.resourceBank, readFileSync(privateCaFile, "utf8"));
      auth = await runAuth({
        DELIVERY_URL: service.url,
        JWKS_URI_ADDRESSES: "private",
        JWKS_URI_AUTHORITY_FILE: caFile,
      });
    });
    after(async () => {
      await auth.stop();
      await service.close();
    });

    it("are counted for each request to the delivery service, of which a text may need two", async () => {
      expect(await countOf("delivery", "unanswered")).to.equal(0);
      const desk = await openDesk(auth);
      const { browser } = await desk.arrive(await desk.request());
      for (const react of [
        (response) => response.writeHead(422).end(),
        (response) => response.socket?.destroy(),
      ] satisfies DeliveryStandIn["react"][]) {
        service.react = react;
        await browser.get(pathOf(await desk.request()));
      }
      service.react = take;
      const counted = await Promise.all(
        ["answered", "refused", "unanswered"].map((outcome) => countOf("delivery", outcome)),
      );
      expect(counted).to.deep.equal([1, 1, 2]);
    });

    it("are counted for the keys of a TPP that cannot be fetched", async () => {
      const jwks_uri = "https://localhost:1/jwks";
      const method = { token_endpoint_auth_method: "private_key_jwt", jwks_uri };
      const { client_id } = await register(auth, { ...REGISTRATION, ...method });
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      const { x } = await exportJWK(publicKey);
      const claims = { iss: client_id, sub: client_id, aud: ISSUER, jti: String(x) };
      const assertion = new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "k" });
      const body = new URLSearchParams({
        token: "none",
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await assertion.setIssuedAt().setExpirationTime("1m").sign(privateKey),
      });
      await auth.call({ method: "POST", path: "/oauth/revoke", headers: FORM_BODY, body: String(body) });
      expect(await countOf("tpp_keys", "unanswered")).to.equal(1);
    });

    it("are counted for the accounts of a PSU on the consent page", async () => {
      const before = Number(await countOf("resource_accounts", "answered"));
      const browser = openBrowser(auth);
      const page = await browser.follow(await browser.get(authorizePath(await register(auth))));
      expect((await browser.follow(await signIn(auth, browser, page))).status).to.equal(200);
      expect(await countOf("resource_accounts", "answered")).to.be.above(before);
    });
  });

  describe("with the bank's login", () => {
    let upstream: RunningUpstream;
    before(async () => {
      upstream = await runUpstream();
      auth = await runAuth(upstream.variables);
    });
    after(async () => {
      await auth.stop();
      await upstream.close();
    });

    it("are counted for the bank's OpenID provider, also while it is away", async () => {
      const application = await register(auth);
      const arrive = async () => {
        const browser = openBrowser(auth);
        return browser.follow(await browser.get(authorizePath(application)));
      };
      upstream.provider.away = true;
      expect((await arrive()).status).to.equal(503);
      expect(await countOf("login", "unanswered")).to.equal(1);
      upstream.provider.away = false;
      auth.clock.advance(60_000);
      expect((await arrive()).status).to.equal(303);
      expect(await countOf("login", "answered")).to.equal(1);
    });
  });
});
