import { randomUUID } from "node:crypto";
import { Agent } from "node:https";
import { thumbprintOf } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { decodeJwt } from "jose";
import {
  APPLICATIONS,
  FORM_BODY,
  JSON_BODY,
  REDIRECT_URI,
  REGISTRATION,
  type TestApplication,
} from "../auth/test-application.ts";
import { codeFor } from "../auth/use-tokens.ts";
import { ACCOUNTS } from "../resource/resource-calls.ts";
import { accountIdsOf, ONE } from "../resource/small-bank.ts";
import { tppCertificate } from "../service-edge/forwarded/certificates.ts";
import { expectNeverBelieved } from "../support/never-believed.ts";
import { rejectionOf } from "../support/rejection.ts";
import { callsOfTpps, type ProxiedServices, startProxiedServices } from "./proxied-services.ts";
import { PROXY_KINDS } from "./proxy-stand.ts";

const CALLS_IN_PARALLEL = 200;
/** More than the 65,536 of a body, and no more than a service reads of what it has refused. */
const TOO_MANY_OCTETS = [70_000, 300_000, 1_000_000];

for (const [kind, name] of PROXY_KINDS) {
  describe(`Both services behind ${name}`, function behindProxy() {
    this.timeout(120_000);
    let services: ProxiedServices;
    let application: TestApplication;
    let token: string;
    before(async () => {
      services = await startProxiedServices(kind);
      application = await register("aisp-pisp");
      token = await tokenOf(application);
    });
    after(() => services?.stop());

    it("starts from its file without a warning, also where the machine's own allows older versions of TLS", () => {
      expect(services.proxy.said()).not.to.match(/\[warn/i);
    });

    async function register(certificate: string): Promise<TestApplication> {
      const body = JSON.stringify(REGISTRATION);
      const answer = await services.call({
        certificate,
        method: "POST",
        path: APPLICATIONS,
        headers: JSON_BODY,
        body,
      });
      expect(answer.status, answer.body).to.equal(201);
      return { ...JSON.parse(answer.body), certificate };
    }

    async function tokenOf(owner: TestApplication): Promise<string> {
      const { auth, resource } = services;
      const before = auth.clock.now().getTime();
      const code = await codeFor(auth, owner);
      resource.clock.advance(auth.clock.now().getTime() - before);
      const answer = await services.call({
        certificate: owner.certificate,
        method: "POST",
        path: "/oauth/token",
        headers: FORM_BODY,
        body: new URLSearchParams({
          grant_type: "authorization_code",
          client_id: owner.client_id,
          client_secret: owner.client_secret,
          redirect_uri: REDIRECT_URI,
          code,
        }).toString(),
      });
      expect(answer.status, answer.body).to.equal(200);
      return JSON.parse(answer.body).access_token;
    }

    const accounts = (certificate: string | null, headers: Readonly<Record<string, string>> = {}) =>
      services.call({
        certificate,
        path: ACCOUNTS,
        headers: { authorization: `Bearer ${token}`, ...headers },
      });

    it("serve a TPP from registration to accounts (COBS PDF 1.4.1, 1.4.4, 3.1.3)", async () => {
      const answer = await accounts("aisp-pisp");
      expect(answer.status, answer.body).to.equal(200);
      expect(JSON.parse(answer.body).accounts.map(({ id }: { id: string }) => id)).to.deep.equal(
        accountIdsOf(ONE),
      );
    });

    it("bind tokens to the certificate of the TPP, not to the proxy's (RFC 8705 3)", async () => {
      const { auth } = services;
      const answer = await auth.callAsBank({
        method: "POST",
        path: "/oauth/introspect",
        headers: {
          ...FORM_BODY,
          accept: "application/token-introspection+jwt",
          host: new URL(auth.config.bankUrl).host,
        },
        body: new URLSearchParams({ token, client_id: "resource" }).toString(),
      });
      expect(answer.status, answer.body).to.equal(200);
      const { token_introspection } = decodeJwt(answer.body);
      expect(token_introspection).to.deep.include({ cnf: { "x5t#S256": auth.tpp("aisp-pisp").thumbprint } });
    });

    it("refuse a token with any other certificate (RFC 8705 3)", async () => {
      for (const certificate of ["second-tpp", "all-roles"]) {
        expect((await accounts(certificate)).status).to.equal(401);
        expect(services.lastCall("resource").organisationIdentifier).to.equal(
          services.auth.tpp(certificate).organisationIdentifier,
        );
      }
    });

    it("answer each wrong certificate as they do on direct TLS", async () => {
      const wrong = services.auth.certificates.tpp.filter(({ expectedRefusal }) => expectedRefusal !== null);
      expect(wrong).not.to.have.length(0);
      for (const { name, expectedRefusal } of wrong) {
        expect((await accounts(name)).status, name).to.equal(401);
        const expected = { refusal: refusalOf(expectedRefusal), status: 401 };
        expect(services.lastCall("resource"), name).to.include(expected);
        expect((await services.call({ certificate: name, path: APPLICATIONS })).status, name).to.equal(401);
        expect(services.lastCall("auth"), name).to.include(expected);
      }
    });

    it("never mix up two TPPs that call at once over the proxy's kept connections", async () => {
      const owners = [application, await register("second-tpp")];
      const agents = owners.map(() => new Agent({ keepAlive: true, maxSockets: 8 }));
      const calls = Array.from({ length: CALLS_IN_PARALLEL }, async (_, place) => {
        const owner = owners[place % 2] ?? application;
        const agent = agents[place % 2];
        const path = `${APPLICATIONS}/${owner.client_id}`;
        const call = { certificate: owner.certificate, path, ...(agent && { agent }) };
        return { owner, answer: await services.call(call) };
      });
      for (const { owner, answer } of await Promise.all(calls)) {
        expect(answer.status).to.equal(200);
        expect(JSON.parse(answer.body).client_id).to.equal(owner.client_id);
      }
      for (const agent of agents) agent.destroy();
    });

    describe("with certificate headers sent by the caller", () => {
      it("never believe these at auth", async () => {
        const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
        const path = `${APPLICATIONS}/${(await register("second-tpp")).client_id}`;
        const way = {
          call: (shown: boolean, headers: Readonly<Record<string, string>>) => {
            const agent = agents[shown ? 1 : 0];
            const certificate = shown ? "second-tpp" : null;
            return services.call({ certificate, path, headers, ...(agent && { agent }) });
          },
          lastCall: () => services.lastCall("auth"),
          organisationIdentifier: services.auth.tpp("second-tpp").organisationIdentifier,
        };
        await expectNeverBelieved(way, (await tppCertificate("aisp-pisp")).der);
        for (const agent of agents) agent.destroy();
      });

      it("never believe these at resource, not even beside the token of the stolen certificate", async () => {
        const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
        const { der } = await tppCertificate("second-tpp");
        const way = {
          call: (shown: boolean, headers: Readonly<Record<string, string>>) => {
            const agent = agents[shown ? 1 : 0];
            const call = { path: ACCOUNTS, headers: { authorization: `Bearer ${token}`, ...headers } };
            return services.call({
              ...call,
              certificate: shown ? "aisp-pisp" : null,
              ...(agent && { agent }),
            });
          },
          lastCall: () => services.lastCall("resource"),
          organisationIdentifier: services.auth.tpp("aisp-pisp").organisationIdentifier,
        };
        await expectNeverBelieved(way, der);
        for (const agent of agents) agent.destroy();
      });

      it("never let Connection replace the proxy's header by the caller's (RFC 9110 7.6.1)", async () => {
        const { der } = await tppCertificate("aisp-pisp");
        const stolen = `:${der.toString("base64")}:`;
        for (const named of ["Client-Cert", "X-SSL-Client-Cert"]) {
          const headers = { connection: `keep-alive, ${named}`, [named]: stolen };
          await services.call({ certificate: "second-tpp", path: APPLICATIONS, headers });
          expect(services.lastCall("auth").tpp).to.be.oneOf([
            undefined,
            services.auth.tpp("second-tpp").organisationIdentifier,
          ]);
        }
      });
    });

    describe("under their two public names", () => {
      const answering = async (method: string, path: string) => {
        const { auth, resource } = services;
        const count = () => [auth, resource].map(({ logLines }) => callsOfTpps(logLines).length);
        const before = count();
        await services.call({ certificate: "aisp-pisp", method, path });
        const [ofAuth = 0, ofResource = 0] = count().map((calls, place) => calls - (before[place] ?? 0));
        return { auth: ofAuth, resource: ofResource };
      };

      it("are each reached at the API host by their own paths", async () => {
        for (const path of [
          APPLICATIONS,
          `${APPLICATIONS}?a=b`,
          `${APPLICATIONS}/abc`,
          `${APPLICATIONS}/abc/renewSecret`,
        ])
          expect(await answering("GET", path), path).to.deep.equal({ auth: 1, resource: 0 });
        for (const path of ["/oauth/token", "/oauth/par", "/oauth/revoke"])
          expect(await answering("POST", path), path).to.deep.equal({ auth: 1, resource: 0 });
        for (const path of [
          ACCOUNTS,
          `${ACCOUNTS}?size=1`,
          "/cobs/2.0/payments",
          `${APPLICATIONS}x`,
          "/cobs/2.0/",
        ])
          expect(await answering("GET", path), path).to.deep.equal({ auth: 0, resource: 1 });
      });

      it("send a PSU who came to the API host to the browser host", async () => {
        const answer = await services.call({ certificate: null, path: "/oauth/authorize?a=b%20c" });
        expect(answer.status).to.equal(303);
        expect(answer.headers.location).to.equal("https://localhost:8443/oauth/authorize?a=b%20c");
      });

      it("offer the metadata, but no resource, at the browser host", async () => {
        const answer = await services.browse("/.well-known/openid-configuration");
        expect(JSON.parse(answer.body)).to.include({ issuer: "https://localhost:8443" });
        expect((await services.browse(ACCOUNTS)).status).to.equal(404);
        expect((await services.browse(APPLICATIONS)).status).to.equal(401);
      });

      it("compress no page, whose length would tell a secret (BREACH), also where the machine's own would", async () => {
        const page = await services.browse("/consents", {
          accept: "text/html",
          "accept-encoding": "gzip, br",
        });
        expect(page.headers).to.include({ "content-type": "text/html; charset=utf-8" });
        expect(page.headers).not.to.have.property("content-encoding");
      });
    });

    it("accept connections from the proxy, and from no TPP past it", async () => {
      const { auth, resource } = services;
      const line = () => callsOfTpps(auth.logLines).length + callsOfTpps(resource.logLines).length;
      const before = line();
      for (const certificate of ["aisp-pisp", null]) {
        await rejectionOf(auth.call({ certificate, path: APPLICATIONS }));
        await rejectionOf(resource.call({ certificate }));
      }
      expect(line()).to.equal(before);
    });

    it("keep the TPP's X-Request-ID, and reveal nothing in front of them but the name of nginx", async () => {
      const asked = randomUUID();
      const { headers } = await accounts("aisp-pisp", { "x-request-id": asked });
      expect(headers["x-request-id"]).to.equal(asked);
      expect(services.lastCall("resource").callerRequestId).to.equal(asked);
      const own = Object.entries(headers).filter(([header]) =>
        /^(?:server|via|x-envoy-.*|x-powered-by)$/.test(header),
      );
      expect(own).to.deep.equal(kind === "nginx" ? [["server", "nginx"]] : []);
    });

    it("refuse too large a body themselves, whatever the proxy would say (RFC 9110 15.5.14)", async () => {
      const post = (path: string, octets: number) => {
        const call = { certificate: "all-roles", method: "POST", path, headers: JSON_BODY };
        return services.call({ ...call, body: JSON.stringify({ text: "x".repeat(octets) }) });
      };
      for (const octets of TOO_MANY_OCTETS) {
        const ofAuth = await post(APPLICATIONS, octets);
        expect(ofAuth.status, ofAuth.body).to.equal(413);
        expect(JSON.parse(ofAuth.body)).to.include({ error: "invalid_request" });
        const ofResource = await post("/cobs/2.0/accounts/balanceCheck", octets);
        expect(ofResource.status, ofResource.body).to.equal(413);
        expect(JSON.parse(ofResource.body).errors[0]).to.include({ error: "NARR" });
      }
    });

    it("receive the exact bytes of the certificate", async () => {
      await accounts("aisp-pisp");
      const { der } = await tppCertificate("aisp-pisp");
      expect(services.lastCall("resource").thumbprint).to.equal(thumbprintOf(der));
    });
  });
}

/** What a profile of `certs/` says that it is refused with. */
function refusalOf(expected: unknown): unknown {
  return typeof expected === "object" && expected !== null && "code" in expected ? expected.code : expected;
}
