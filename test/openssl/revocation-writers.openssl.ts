import { execFile, execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { extendedKeyUsage } from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import { signCrl } from "../../packages/sandbox/src/certificates/crl.ts";
import {
  type IssuedCertificate,
  issueCertificate,
} from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import { readOcspRequest } from "../../packages/sandbox/src/certificates/ocsp-request.ts";
import { type OcspStatus, signOcspResponse } from "../../packages/sandbox/src/certificates/ocsp-response.ts";
import { readTppProfile } from "../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { createTestCa, type TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { describeTppCertificate } from "../../packages/sandbox/src/certificates/tpp-certificate.ts";
import { serialNumberOf } from "../../packages/sandbox/src/revocation/answer-revocation.ts";
import {
  openRevocationResponder,
  revocationUrls,
} from "../../packages/sandbox/src/revocation/revocation-responder.ts";
import { openRevokedCertificates } from "../../packages/sandbox/src/revocation/revoked-certificates.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const now = new Date();
const inAnHour = new Date(now.getTime() + 3_600_000);

describe("Test CA whose revocation data openssl reads", () => {
  const { path } = temporaryFolder();
  const file = (name: string) => join(path, name);
  let ca: TestCa;
  let tpp: IssuedCertificate;
  let serialNumber: string;

  before(async () => {
    ca = await createTestCa(now);
    tpp = await issueCertificate(ca.qtspIssuing, describeTppCertificate(await readTppProfile("aisp"), now));
    serialNumber = new X509Certificate(tpp.certificatePem).serialNumber;
    writeFileSync(file("root.pem"), ca.qtspRoot.certificatePem);
    writeFileSync(file("issuing.pem"), ca.qtspIssuing.certificatePem);
    writeFileSync(file("tpp.pem"), tpp.certificatePem);
    execFileSync("openssl", [
      ...["ocsp", "-issuer", file("issuing.pem"), "-cert", file("tpp.pem")],
      ...["-reqout", file("request.der")],
    ]);
  });
  after(() => rmSync(path, { recursive: true, force: true }));

  function answered(
    status: OcspStatus,
    responder = ca.qtspIssuing,
    certificates?: readonly string[],
  ): string {
    const request = readOcspRequest(execFileSync("cat", [file("request.der")]));
    const response = signOcspResponse(responder, {
      producedAt: now,
      ...(request.nonce && { nonce: request.nonce }),
      ...(certificates && { certificates }),
      answers: request.certIds.map(({ encoded }) => ({
        subject: encoded,
        status,
        thisUpdate: now,
        nextUpdate: inAnHour,
      })),
    });
    writeFileSync(file("response.der"), response);
    const { stdout, stderr } = spawnSync(
      "openssl",
      [
        ...["ocsp", "-issuer", file("issuing.pem"), "-cert", file("tpp.pem"), "-CAfile", file("root.pem")],
        ...[
          "-reqin",
          file("request.der"),
          "-respin",
          file("response.der"),
          "-no_nonce",
          "-verify_other",
          file("issuing.pem"),
        ],
      ],
      { encoding: "utf8" },
    );
    return stdout + stderr;
  }

  it("answers OCSP requests with the authority's own key (RFC 6960 4.2.2.2)", () => {
    expect(answered("good")).to.include("tpp.pem: good").and.include("Response verify OK");
    const revoked = answered({ revokedAt: now, reason: "keyCompromise" });
    expect(revoked).to.include("tpp.pem: revoked").and.include("Reason: keyCompromise");
    expect(answered("unknown")).to.include("tpp.pem: unknown");
  });

  it("answers OCSP requests through a delegated responder (RFC 6960 4.2.2.2)", async () => {
    const right = describeTppCertificate(await readTppProfile("aisp"), now);
    const responder = await issueCertificate(ca.qtspIssuing, {
      ...right,
      extensions: [extendedKeyUsage("OCSPSigning")],
    });
    const said = answered("good", responder, [responder.certificatePem]);
    expect(said).to.include("tpp.pem: good").and.include("Response verify OK");
  });

  it("answers over http, also after a revocation is taken back (RFC 6960 appendix A.1)", async () => {
    const revoked = openRevokedCertificates(path);
    const responder = await openRevocationResponder({
      authorities: async () => new Map([["issuing", ca.qtspIssuing]]),
      revoked,
      port: 0,
    });
    const ask = () =>
      promisify(execFile)("openssl", [
        ...["ocsp", "-issuer", file("issuing.pem"), "-cert", file("tpp.pem"), "-CAfile", file("root.pem")],
        ...["-url", revocationUrls(responder.port).ocsp, "-verify_other", file("issuing.pem")],
      ]);
    try {
      expect((await ask()).stdout).to.include("tpp.pem: good");
      await revoked.revoke(serialNumberOf(tpp.certificatePem), "superseded", now);
      expect((await ask()).stdout).to.include("tpp.pem: revoked");
      await revoked.release(serialNumberOf(tpp.certificatePem));
      expect((await ask()).stdout).to.include("tpp.pem: good");
    } finally {
      await responder.stop();
    }
  });

  it("signs CRLs that list revoked certificates (RFC 5280 5)", () => {
    const crl = signCrl(ca.qtspIssuing, {
      number: 300,
      thisUpdate: now,
      nextUpdate: inAnHour,
      revoked: [{ serialNumber, revokedAt: now, reason: "certificateHold" }],
    });
    writeFileSync(file("crl.der"), crl);
    const { stdout, stderr } = spawnSync(
      "openssl",
      ["crl", "-inform", "DER", "-in", file("crl.der"), "-noout", "-text", "-CAfile", file("issuing.pem")],
      { encoding: "utf8" },
    );
    expect(stderr).to.include("verify OK");
    expect(stdout)
      .to.include(serialNumber)
      .and.include("Certificate Hold")
      .and.match(/X509v3 CRL Number:\s+300/);
  });
});
