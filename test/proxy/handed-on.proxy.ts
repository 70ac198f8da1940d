import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { expect } from "chai";
import { parseClientCert } from "../../packages/service-edge/src/tls/forwarded/parse-client-cert.ts";
import { parseEnvoyCertificate } from "../../packages/service-edge/src/tls/forwarded/parse-envoy-certificate.ts";
import { parseNginxCertificate } from "../../packages/service-edge/src/tls/forwarded/parse-nginx-certificate.ts";
import { tppCertificate } from "../service-edge/forwarded/certificates.ts";
import { FORGED_NAMES } from "../support/forged-headers.ts";
import { type RawAnswer, send } from "../support/raw-https.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { PROXY_KINDS, type RunningProxy, startProxy } from "./proxy-stand.ts";
import { openRecordingOrigin, type RecordingOrigin } from "./recording-origin.ts";

/** What each proxy may say of a certificate, and nothing else. */
const OWN_HEADERS = {
  haproxy: ["client-cert", "client-cert-chain"],
  nginx: ["x-ssl-client-cert"],
  envoy: ["x-forwarded-client-cert"],
};

/** What a connection of HTTP/2 begins with (RFC 9113 3.4), and its first frame: SETTINGS without any. */
const HTTP_2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1");

/** Any header that speaks of a certificate, in whatever words. */
const OF_CERTIFICATES = /cert|mtls|ssl|tls/i;

for (const [kind, name] of PROXY_KINDS) {
  describe(`Request that ${name} hands on`, () => {
    let origin: RecordingOrigin;
    let proxy: RunningProxy;
    before(async () => {
      const certificates = await testCertificates();
      origin = await openRecordingOrigin(certificates);
      proxy = await startProxy(kind, { certificates, authApi: origin.port, resourceApi: origin.port });
    });
    after(async () => {
      await proxy?.stop();
      await origin?.close();
    });

    async function call(
      shown: boolean,
      headers: Readonly<Record<string, string>> = {},
      { port, query }: { readonly port: number; readonly query: string } = { port: proxy.apiPort, query: "" },
    ): Promise<RawAnswer> {
      const { caFile, tpp } = await testCertificates();
      const files = tpp.find(({ name }) => name === "aisp-pisp");
      if (files === undefined) throw new Error("there is no certificate aisp-pisp");
      const own = { cert: readFileSync(files.certificateFile), key: readFileSync(files.keyFile) };
      return send({
        port,
        path: `/cobs/2.0/my/accounts${query}`,
        ca: readFileSync(caFile),
        ...(shown && own),
        headers,
      });
    }

    const ofCertificates = () => origin.lastHeaders().filter(([name]) => OF_CERTIFICATES.test(name));

    it("carries the certificate of the connection, in the proxy's own header alone", async () => {
      const { der, issuer } = await tppCertificate("aisp-pisp");
      await call(true);
      const headers = ofCertificates();
      expect(headers.map(([name]) => name.toLowerCase())).to.deep.equal(OWN_HEADERS[proxy.kind]);
      const [[, certificate] = ["", ""], [, chain] = ["", undefined]] = headers;
      const read = {
        haproxy: () => parseClientCert(certificate, chain),
        nginx: () => parseNginxCertificate(certificate),
        envoy: () => parseEnvoyCertificate(certificate),
      }[kind];
      expect(read()).to.deep.equal({ der, intermediates: kind === "nginx" ? [] : [issuer] });
    });

    it("carries no certificate when the TPP has shown none", async () => {
      expect((await call(false)).status).to.equal(200);
      expect(ofCertificates()).to.deep.equal([]);
    });

    it("leaves neither a token, even one in the query, nor the TPP of the certificate in the proxy's log (LOG-01)", async () => {
      const certificates = await testCertificates();
      const other = await startProxy(kind, { certificates, resourceApi: origin.port });
      const at = { port: other.apiPort, query: "?access_token=of-somebody" };
      const answer = await call(true, { authorization: "Bearer of-header" }, at);
      await other.stop();
      expect(answer.status).to.equal(200);
      const { organisationIdentifier = "" } = certificates.tpp.find(({ name }) => name === "aisp-pisp") ?? {};
      expect(organisationIdentifier).to.match(/^PSD/);
      for (const secret of ["of-somebody", "of-header", organisationIdentifier])
        expect(other.said()).not.to.include(secret);
    });

    it("goes to no service with another name in its certificate", async () => {
      const certificates = await testCertificates();
      const service = await openRecordingOrigin(certificates, { requestCert: false });
      const { port } = service;
      for (const originName of ["localhost", "other.bank.example"]) {
        const origins = { certificates, authApi: port, authBrowser: port, resourceApi: port, originName };
        const { apiPort, browserPort, stop } = await startProxy(kind, origins);
        const answers = [apiPort, browserPort].map((each) => call(true, {}, { port: each, query: "" }));
        const expected = originName === "localhost" ? 200 : kind === "nginx" ? 502 : 503;
        for (const { status } of await Promise.all(answers)) expect(status, originName).to.equal(expected);
        await stop();
      }
      await service.close();
    });

    it("must come over HTTP/1.1, as HTTP/2 without negotiation is refused (RFC 9113 3.3)", async () => {
      const ca = readFileSync((await testCertificates()).caFile);
      for (const port of [proxy.apiPort, proxy.browserPort]) {
        const socket = connect({ port, host: "localhost", servername: "localhost", ca });
        await once(socket, "secureConnect");
        socket.write(HTTP_2_PREFACE);
        const [answer = ""] = await Promise.race([once(socket, "data"), once(socket, "end")]);
        socket.destroy();
        expect(String(answer)).to.match(/^(?:HTTP\/1\.1 400 |$)/);
      }
    });

    it("carries the caller's address, and none that the caller sent", async () => {
      const addresses = () =>
        origin.lastHeaders().filter(([name]) => name.toLowerCase() === "x-forwarded-for");
      await call(true);
      expect(addresses().map(([, value]) => value)).to.deep.equal(["127.0.0.1"]);
      await call(true, { "X-Forwarded-For": "198.51.100.7, 198.51.100.8" });
      expect(addresses().map(([, value]) => value)).to.deep.equal(["127.0.0.1"]);
    });

    if (kind === "envoy")
      it("carries no order to Envoy from a caller, wherever it calls from", async () => {
        await call(true, {
          "X-Envoy-Internal": "true",
          "X-Envoy-Retry-On": "5xx",
          "X-Envoy-Upstream-Rq-Timeout-Ms": "1",
        });
        const names = origin.lastHeaders().map(([header]) => header.toLowerCase());
        expect(names.filter((header) => header.startsWith("x-envoy-"))).to.deep.equal([
          "x-envoy-external-address",
        ]);
      });

    for (const name of FORGED_NAMES)
      it(`carries no ${name} of the caller's`, async () => {
        await call(false, { [name]: "forged" });
        expect(ofCertificates()).to.deep.equal([]);
        await call(true, { [name]: "forged" });
        expect(ofCertificates().filter(([, value]) => value.includes("forged"))).to.deep.equal([]);
        expect(ofCertificates().map(([each]) => each.toLowerCase())).to.deep.equal(OWN_HEADERS[proxy.kind]);
      });
  });
}
