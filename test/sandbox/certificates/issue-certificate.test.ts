import { createHash, createPrivateKey, X509Certificate } from "node:crypto";
import { expect } from "chai";
import {
  basicConstraints,
  extensionOids,
  qcStatements,
  replaceExtension,
  withoutExtension,
} from "../../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  type CertificateDescription,
  issueCertificate,
} from "../../../packages/sandbox/src/certificates/issue-certificate.ts";
import { readTppProfile } from "../../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { subjectOids } from "../../../packages/sandbox/src/certificates/subject-attribute.ts";
import {
  createTestCa,
  issueAuthority,
  type TestCa,
} from "../../../packages/sandbox/src/certificates/test-ca.ts";
import { describeTppCertificate } from "../../../packages/sandbox/src/certificates/tpp-certificate.ts";

const now = new Date("2026-03-01T12:00:00.750Z");

describe("Issuing a certificate", () => {
  let ca: TestCa;
  let right: CertificateDescription;

  before(async () => {
    ca = await createTestCa(now);
    right = describeTppCertificate(await readTppProfile("aisp"), now);
  });

  it("gives a certificate that its issuer signed, with its key", async () => {
    const issued = await issueCertificate(ca.qtspIssuing, right);
    const certificate = new X509Certificate(issued.certificatePem);
    const issuer = new X509Certificate(ca.qtspIssuing.certificatePem);
    expect(certificate.checkIssued(issuer)).to.equal(true);
    expect(certificate.verify(issuer.publicKey)).to.equal(true);
    expect(certificate.checkPrivateKey(createPrivateKey(issued.privateKeyPem))).to.equal(true);
    expect(issued.privateKeyPem).to.match(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  it("computes the thumbprint over the DER of the leaf (RFC 8705 3.1)", async () => {
    const issued = await issueCertificate(ca.qtspIssuing, right);
    const der = Buffer.from(issued.certificatePem.replace(/-----[^-]+-----|\n/g, ""), "base64");
    expect(issued.thumbprint).to.equal(createHash("sha256").update(der).digest("base64url"));
  });

  it("gives the chain without the root, each PEM with a newline at its end", async () => {
    const lower = await issueAuthority(ca.qtspIssuing, { commonName: "Lower CA" }, now);
    const issued = await issueCertificate(lower, right);
    expect(issued.chainPem).to.equal(
      issued.certificatePem + lower.certificatePem + ca.qtspIssuing.certificatePem,
    );
    for (const pem of [issued.certificatePem, issued.privateKeyPem, issued.chainPem])
      expect(pem).to.match(/-----\n$/);
  });

  it("gives every certificate a positive serial number of its own (RFC 5280 4.1.2.2)", async () => {
    const serials = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { certificatePem } = await issueCertificate(ca.qtspIssuing, right);
        return new X509Certificate(certificatePem).serialNumber;
      }),
    );
    expect(new Set(serials).size).to.equal(5);
    for (const serial of serials) expect(serial).to.match(/^[4-7][0-9A-F]{31}$/);
  });

  it("cuts off the fraction of a second (RFC 5280 4.1.2.5)", async () => {
    const { certificatePem } = await issueCertificate(ca.qtspIssuing, right);
    const from = new Date(new X509Certificate(certificatePem).validFrom);
    expect(from.toISOString()).to.equal("2026-02-28T12:00:00.000Z");
  });

  it("copies the name of the issuer as it was encoded (RFC 5280 4.1.2.4)", async () => {
    const name = [{ oid: subjectOids.commonName, value: "Plain", stringType: "printableString" }] as const;
    const authority = await issueCertificate(undefined, {
      ...right,
      subject: name,
      extensions: [basicConstraints(true)],
    });
    const issued = await issueCertificate(authority, right);
    const encoded = Buffer.from("310e300c06035504031305506c61696e", "hex");
    expect(new X509Certificate(issued.certificatePem).raw.includes(encoded)).to.equal(true);
  });

  it("gives each certificate its own key, so that one cannot speak for another", async () => {
    const [one, other] = [
      await issueCertificate(ca.qtspIssuing, right),
      await issueCertificate(ca.qtspIssuing, right),
    ];
    expect(one.privateKeyPem).not.to.equal(other.privateKeyPem);
  });

  it("leaves out, replaces and adds what a test asks for", async () => {
    const odd = qcStatements(Buffer.from("3000", "hex"));
    const without = withoutExtension(right.extensions, extensionOids.extendedKeyUsage);
    const issued = await issueCertificate(ca.qtspIssuing, {
      ...right,
      serialNumber: "01",
      keyIdentifiers: false,
      extensions: replaceExtension(without, { ...odd, critical: true }),
    });
    const certificate = new X509Certificate(issued.certificatePem);
    expect(certificate.serialNumber).to.equal("01");
    expect(certificate.keyUsage).to.equal(undefined);
    // The identifier, TRUE, and an OCTET STRING with the odd value.
    const critical = Buffer.from("06082b060105050701030101ff04023000", "hex");
    expect(certificate.raw.includes(critical)).to.equal(true);
    expect(certificate.raw.includes(Buffer.from("0603551d0e", "hex"))).to.equal(false);
  });
});
