import { expect } from "chai";
import {
  basicConstraints,
  permittedDnsNames,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  type CertificateDescription,
  issueCertificate,
} from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import {
  readTppProfile,
  readTppProfiles,
} from "../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import {
  createTestCa,
  issueAuthority,
  type TestCa,
} from "../../packages/sandbox/src/certificates/test-ca.ts";
import {
  describeTppCertificate,
  issueTppCertificate,
} from "../../packages/sandbox/src/certificates/tpp-certificate.ts";
import { opensslText, opensslVerify } from "./openssl.ts";

const now = new Date("2026-03-01T12:00:00.750Z");
const atNow = ["-attime", String(Math.floor(now.getTime() / 1000)), "-purpose", "sslclient"];

/** What openssl says about a wrong certificate; about the others it has nothing to complain. */
const opensslErrors: Readonly<Record<string, string>> = {
  "wrong-expired": "certificate has expired",
  "wrong-not-yet-valid": "certificate is not yet valid",
  "wrong-unknown-ca": "unable to get local issuer certificate",
  "wrong-no-client-purpose": "unsuitable certificate purpose",
};

describe("Test CA as openssl sees it", () => {
  let ca: TestCa;
  let right: CertificateDescription;

  before(async () => {
    ca = await createTestCa(now);
    right = describeTppCertificate(await readTppProfile("aisp"), now);
  });

  it("issues keys and signatures of every kind, weak ones too", async () => {
    const rsa = await issueCertificate(undefined, { ...right, keyType: "RSA-1024" });
    const weak = await issueCertificate(rsa, { ...right, signedWith: "rsa-sha1", keyType: "P-384" });
    expect(opensslText(rsa.certificatePem)).to.include("Public-Key: (1024 bit)");
    expect(opensslText(weak.certificatePem)).to.include("sha1WithRSAEncryption").and.include("P-384");
    const ecdsa = await issueCertificate(ca.qtspIssuing, { ...right, signedWith: "ecdsa-sha1" });
    expect(opensslText(ecdsa.certificatePem)).to.include("ecdsa-with-SHA1");
  });

  it("issues through a lower authority, unless a path length forbids it (RFC 5280 4.2.1.9)", async () => {
    const strict = await issueAuthority(
      ca.qtspRoot,
      { commonName: "Strict CA", extensions: [basicConstraints(true, 0)] },
      now,
    );
    const verdicts = await Promise.all(
      [ca.qtspIssuing, strict].map(async (upper) => {
        const lower = await issueAuthority(upper, { commonName: "Lower CA" }, now);
        const leaf = await issueCertificate(lower, right);
        return opensslVerify(leaf.chainPem, ca.qtspRoot.certificatePem, atNow);
      }),
    );
    expect(verdicts).to.deep.equal(["OK", "path length constraint exceeded"]);
  });

  it("issues an authority whose name constraint is enforced (RFC 5280 4.2.1.10)", async () => {
    const narrow = await issueAuthority(
      ca.qtspRoot,
      { commonName: "Narrow CA", extensions: [permittedDnsNames("other.example")] },
      now,
    );
    const leaf = await issueCertificate(narrow, right);
    expect(opensslVerify(leaf.chainPem, ca.qtspRoot.certificatePem, atNow)).to.equal(
      "permitted subtree violation",
    );
  });

  it("issues leaves that cannot issue themselves (RFC 5280 4.2.1.9)", async () => {
    const leaf = await issueCertificate(ca.qtspIssuing, right);
    const below = await issueCertificate(leaf, right);
    expect(opensslVerify(below.chainPem, ca.qtspRoot.certificatePem, atNow)).to.match(/invalid CA/);
  });

  it("issues TPP certificates that verify as clients', or fail as their profile says", async () => {
    for (const profile of await readTppProfiles()) {
      const issued = await issueTppCertificate(ca, profile, { now });
      const verdict = opensslVerify(issued.chainPem, ca.qtspRoot.certificatePem, atNow);
      expect(verdict, profile.name).to.equal(opensslErrors[profile.name] ?? "OK");
    }
  });

  it("issues the subject and the key that a profile names", async () => {
    const cisp = await issueTppCertificate(ca, await readTppProfile("cisp"), { now });
    const text = opensslText(cisp.certificatePem);
    expect(text).to.include("organizationIdentifier = PSDCZ-CNB-99000011");
    expect(text).to.include("Žluťoučký účet, platební instituce s.r.o.");
    expect(text).to.include("Public-Key: (2048 bit)").and.include("TLS Web Client Authentication");
  });
});
