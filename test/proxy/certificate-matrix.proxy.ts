import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Defect } from "../../packages/sandbox/src/certificates/defects/defect.ts";
import { defects } from "../../packages/sandbox/src/certificates/defects.ts";
import { oddities } from "../../packages/sandbox/src/certificates/oddities.ts";
import { issueProxyCertificate } from "../../packages/sandbox/src/proxy/write-proxy-files.ts";
import { ASKING, expectRefusal, type MatrixCalls, matrixCalls } from "../resource/matrix-calls.ts";
import { ACCOUNTS, HOST } from "../resource/resource-calls.ts";
import { type RunningResource, runResource } from "../resource/running-resource.ts";
import {
  type CertificateMatrix,
  issueCertificateMatrix,
  presentedOf,
} from "../support/certificate-matrix.ts";
import { onceLogged } from "../support/once-logged.ts";
import { send } from "../support/raw-https.ts";
import { ENDED_BY_PROXY, forwardedBy, type RunningProxy, startProxy } from "./proxy-stand.ts";

for (const [kind, proxyName] of [
  ["haproxy", "HAProxy"],
  ["envoy", "Envoy"],
] as const)
  describe(`Verification of certificates behind ${proxyName}, with the verdicts of direct TLS`, function matrix() {
    this.timeout(120_000);
    const ended = ENDED_BY_PROXY[kind];
    let resource: RunningResource;
    let certificates: CertificateMatrix;
    let proxy: RunningProxy;
    let calls: MatrixCalls;

    before(async () => {
      resource = await runResource({ ...ASKING, ...forwardedBy(kind) });
      certificates = await issueCertificateMatrix(resource.certificates);
      proxy = await startProxy(kind, {
        certificates: resource.certificates,
        resourceApi: resource.ports.mutualTls,
      });
      calls = matrixCalls(resource, certificates, proxy.apiPort);
    });
    after(async () => {
      await proxy?.stop();
      await resource?.stop();
      await certificates?.close();
    });

    it("accepts a correct certificate", () => calls.expectAccepted("aisp-pisp"));

    for (const { name, code, wrong, clause } of defects.filter((defect) => passesHandshake(defect, ended)))
      it(`refuses ${name} with ${code}: ${wrong} (${clause})`, () => calls.expectRefused(name, code));

    for (const name of ended)
      it(`lets nothing of ${name} through when ${proxyName} ends the handshake itself`, async () => {
        const { thumbprint } = certificates.certificate(name).issued;
        const answer = await calls.call(name).catch(() => undefined);
        const lines = resource.logLines.filter((line) => line.thumbprint === thumbprint);
        if (answer === undefined) expect(lines).to.deep.equal([]);
        else expect(answer.status).to.equal(401);
      });

    for (const { name, odd, clause } of oddities)
      it(`accepts ${name}: ${odd} (${clause})`, () => calls.expectAccepted(name));

    /** What ends the handshake at one proxy can come in the header of another, which reads with another library. */
    const unseen = kind === "haproxy" ? defects.filter((defect) => !passesHandshake(defect, ended)) : [];
    for (const { name, code, wrong, clause } of unseen)
      it(`refuses ${name} with ${code} in the headers of RFC 9440: ${wrong} (${clause})`, async () => {
        const { der, intermediates } = presentedOf(certificates.certificate(name));
        const [certificate, ...chain] = [der, ...intermediates].map((each) => `:${each.toString("base64")}:`);
        const options = {
          port: resource.ports.mutualTls,
          path: ACCOUNTS,
          ca: readFileSync(resource.certificates.caFile),
          ...(await issueProxyCertificate(resource.certificates)),
          headers: { host: HOST, "client-cert": certificate, "client-cert-chain": chain.join(", ") },
        };
        expectRefusal(resource, await onceLogged(send(options), resource.logLines), code);
      });
  });

function passesHandshake({ name, carriedBy }: Defect, ended: ReadonlySet<string>): boolean {
  return carriedBy === "tls" && !ended.has(name);
}
