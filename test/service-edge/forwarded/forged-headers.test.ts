import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { expect } from "chai";
import { issueProxyCertificate } from "../../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { type RunningAuth, runAuth } from "../../auth/running-auth.ts";
import { APPLICATIONS, register } from "../../auth/test-application.ts";
import { forwardedBy } from "../../proxy/proxy-stand.ts";
import { ACCOUNTS, HOST } from "../../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../../resource/running-resource.ts";
import { FORGED_NAMES, forgedValues } from "../../support/forged-headers.ts";
import { expectNeverBelieved } from "../../support/never-believed.ts";
import { onceLogged } from "../../support/once-logged.ts";
import { send } from "../../support/raw-https.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { tppCertificate } from "./certificates.ts";
import { byteSequence } from "./header-values.ts";

describe("Forged header with another TPP's certificate, sent directly to the services", function forged() {
  this.timeout(120_000);
  let stolen: Buffer;
  before(async () => {
    ({ der: stolen } = await tppCertificate("aisp-pisp"));
  });

  describe("with the default configuration", () => {
    let auth: RunningAuth;
    let resource: RunningResource;
    before(async () => {
      [auth, resource] = await Promise.all([runAuth(), runResource()]);
    });
    after(() => Promise.all([auth.stop(), resource.stop()]));

    /** One kept connection for each certificate. */
    const connections = () => ({
      true: new Agent({ keepAlive: true }),
      false: new Agent({ keepAlive: true }),
    });

    it("is never believed by auth, in any spelling", async () => {
      const agents = connections();
      const path = `${APPLICATIONS}/${(await register(auth, {}, "second-tpp")).client_id}`;
      const way = {
        call: (shown: boolean, headers: Readonly<Record<string, string>>) =>
          auth.call({
            certificate: shown ? "second-tpp" : null,
            path,
            headers,
            agent: agents[`${shown}`],
          }),
        lastCall: auth.lastCall,
        organisationIdentifier: auth.tpp("second-tpp").organisationIdentifier,
      };
      await expectNeverBelieved(way, stolen);
      for (const agent of Object.values(agents)) agent.destroy();
    });

    it("is never believed by resource, in any spelling", async () => {
      const agents = connections();
      const token = resource.giveToken("second-tpp");
      const way = {
        call: (shown: boolean, headers: Readonly<Record<string, string>>) =>
          resource.call({
            certificate: shown ? "second-tpp" : null,
            token,
            headers,
            agent: agents[`${shown}`],
          }),
        lastCall: resource.lastCall,
        organisationIdentifier: resource.tpp("second-tpp").organisationIdentifier,
      };
      await expectNeverBelieved(way, stolen);
      for (const agent of Object.values(agents)) agent.destroy();
    });

    it("does not make a token work that is bound to that certificate (RFC 8705 3)", async () => {
      const token = resource.giveToken("aisp-pisp");
      const headers = { "client-cert": byteSequence(stolen) };
      expect((await resource.call({ certificate: "second-tpp", token, headers })).status).to.equal(401);
      expect((await resource.call({ certificate: "aisp-pisp", token })).status).to.equal(200);
    });
  });

  describe("where only a proxy may hand certificates on", () => {
    let auth: RunningAuth;
    let resource: RunningResource;
    before(async () => {
      const source = forwardedBy("haproxy");
      [auth, resource] = await Promise.all([runAuth(source), runResource(source)]);
    });
    after(() => Promise.all([auth.stop(), resource.stop()]));

    it("reaches neither service, with or without a TPP's certificate", async () => {
      for (const name of FORGED_NAMES)
        for (const certificate of ["second-tpp", null]) {
          const headers = { [name]: forgedValues(stolen)["RFC 9440"] ?? "" };
          await rejectionOf(auth.call({ certificate, path: APPLICATIONS, headers }));
          await rejectionOf(resource.call({ certificate, headers }));
        }
      expect([...auth.logLines, ...resource.logLines].filter(({ msg }) => msg === "call")).to.deep.equal([]);
    });

    it("is believed from the proxy, the only one that could forge it", async () => {
      const { certificates, ports } = resource;
      const proxy = await issueProxyCertificate(certificates);
      const options = {
        port: ports.mutualTls,
        path: ACCOUNTS,
        ca: readFileSync(certificates.caFile),
        ...proxy,
        headers: {
          host: HOST,
          authorization: `Bearer ${resource.giveToken("aisp-pisp")}`,
          "client-cert": byteSequence(stolen),
        },
      };
      const answer = await onceLogged(send(options), resource.logLines);
      expect(answer.status, answer.body).to.equal(200);
      expect(resource.lastCall()).to.include({ thumbprint: resource.tpp("aisp-pisp").thumbprint });
    });

    it("gets 401 from the proxy when unreadable, like a malformed certificate on direct TLS", async () => {
      const { certificates, ports } = auth;
      const proxy = await issueProxyCertificate(certificates);
      const ca = readFileSync(certificates.caFile);
      const call = (given: Readonly<Record<string, string>>) => {
        const headers = { host: "localhost:8444", ...given };
        const options = { port: ports.mutualTls, path: APPLICATIONS, ca, ...proxy, headers };
        return onceLogged(send(options), auth.logLines);
      };
      expect((await call({ "client-cert": "::" })).status).to.equal(401);
      expect(auth.lastCall()).to.include({ refusal: "certificate_malformed" });
      expect((await call({ "client-cert": byteSequence(Buffer.from("no certificate")) })).status).to.equal(
        401,
      );
      expect(auth.lastCall()).to.include({ refusal: "certificate_malformed" });
      expect((await call({})).status).to.equal(401);
      expect(auth.lastCall()).to.include({ refusal: "certificate_absent" });
    });
  });
});
