import {
  type CertificateReport,
  createCertificateVerifier,
  describeForTpp,
  inspectCertificate,
  type PresentedCertificate,
  parseTrustAnchors,
  thumbprintOf,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import fc from "fast-check";
import {
  authorityInformationAccess,
  certificatePolicies,
  crlDistributionPoints,
} from "../../../packages/sandbox/src/certificates/certificate-extension.ts";
import { orders, twinOf } from "../../support/twin-certificate.ts";
import {
  anchorFile,
  authorityPlan,
  extension,
  type Issued,
  issue,
  keyOf,
  now,
  oids,
  present,
  qwacExtensions,
  qwacPlan,
  tppSubject,
  utcTime,
} from "../certificate-builder.ts";
import { mutate } from "../mutation.ts";
import { refusalOf } from "../refusal-of.ts";
import { wrongCertificates } from "../wrong-certificates.ts";

const issuing = issue(authorityPlan("Issuing CA"));
const anchors = parseTrustAnchors(anchorFile([issuing]));
const right = issue(qwacPlan(), issuing).der;

const inspect = (presented: PresentedCertificate | undefined, trusted = anchors) =>
  inspectCertificate(presented, { anchors: trusted, now });
const checkOf = (report: CertificateReport, name: string) =>
  report.checks.find(({ check }) => check === name);
const outcomesOf = ({ checks }: CertificateReport) =>
  Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));

/** The report must say what the verifier says, whatever was presented. */
function expectAgreement(presented: PresentedCertificate | undefined, trusted = anchors, at = now): void {
  const verdict = refusalOf(() =>
    createCertificateVerifier({ anchors: trusted, maxRemembered: 10 }).verify(presented, at),
  );
  const { accepted, code, checks } = inspectCertificate(presented, { anchors: trusted, now: at });
  expect(accepted ? "accepted" : code).to.equal(verdict);
  expect(checks.find(({ outcome }) => outcome === "failed")?.code).to.equal(code);
}

describe("The inspection of a certificate", () => {
  it("passes every check of a right certificate, except revocation, about which nobody was asked", () => {
    const { accepted, code, checks } = inspect(present(right));
    expect({ accepted, code }).to.deep.equal({ accepted: true, code: undefined });
    expect(checks).to.have.length(19);
    expect(checks.filter(({ outcome }) => outcome !== "passed").map(({ check }) => check)).to.deep.equal([
      "revocation",
    ]);
  });

  it("shows what each check found", () => {
    const found = Object.fromEntries(
      inspect(present(right)).checks.map(({ check, found }) => [check, found]),
    );
    expect(found).to.deep.include({
      path: "CN=Issuing CA > service Service 0",
      validity: "2026-01-01T00:00:00Z to 2027-01-01T00:00:00Z, checked at 2026-11-15T12:00:00Z, 46 days left",
      path_in_time:
        "CN=Issuing CA: 2020-01-01T00:00:00Z to 2040-01-01T00:00:00Z > service Service 0: from 2020-01-01T00:00:00Z",
      signature: "ecdsa-with-SHA256 (1.2.840.10045.4.3.2)",
      key: "ec on prime256v1",
      critical_extensions: "basicConstraints (2.5.29.19), keyUsage (2.5.29.15)",
      qualified: "QcCompliance present, QcCClegislation absent",
      qc_type: "[web (0.4.0.1862.1.6.3)]",
      psd2_statement:
        '[[[0.4.0.19495.1.3, "PSP_AI"], [0.4.0.19495.1.2, "PSP_PI"]], "Czech National Bank", "CZ-CNB"]',
      organisation_identifier: '"PSDCZ-CNB-63492555" (UTF8String)',
      organisation_name: '"Účetní pomocník s.r.o." (UTF8String)',
      tpp_role: "PSP_AI, PSP_PI",
      revocation: "not asked; the certificate names no OCSP responder and no CRL",
    });
  });

  it("lists the facts about the certificate and its holder", () => {
    const { thumbprint, twinThumbprint, ...facts } = inspect(present(right)).facts ?? {};
    expect(thumbprint).to.equal(thumbprintOf(right));
    expect(twinThumbprint).to.equal(thumbprintOf(twinOf(right, orders["P-256"])));
    expect(facts).to.deep.equal({
      subject: "CN=tpp.example,organizationIdentifier=PSDCZ-CNB-63492555,O=Účetní pomocník s.r.o.,C=CZ",
      issuer: "CN=Issuing CA",
      serialNumber: "4A0B",
      notBefore: "2026-01-01T00:00:00Z",
      notAfter: "2027-01-01T00:00:00Z",
      daysLeft: 46,
      key: "ec on prime256v1",
      signature: "ecdsa-with-SHA256 (1.2.840.10045.4.3.2)",
      organisationIdentifier: "PSDCZ-CNB-63492555",
      organisationName: "Účetní pomocník s.r.o.",
      roles: ["PSP_AI", "PSP_PI"],
      authority: { id: "CZ-CNB", name: "Czech National Bank" },
      policies: [],
      ocspResponders: [],
      crls: [],
    });
  });

  it("names no other form of a certificate that no elliptic curve of a known authority has signed", () => {
    const plan = { key: keyOf("rsa-2048", "authority"), signedWith: "rsa-sha256" } as const;
    const rsa = issue(authorityPlan("Issuing CA", plan));
    const signed = issue(qwacPlan({ signedWith: "rsa-sha256" }), rsa).der;
    const trusted = inspect(present(signed), parseTrustAnchors(anchorFile([rsa])));
    for (const { facts } of [trusted, inspect(present(right), parseTrustAnchors(anchorFile([rsa])))])
      expect(facts).to.include.keys("thumbprint").and.not.to.include.keys("twinThumbprint");
    expect(trusted.accepted).to.equal(true);
  });

  it("yields a report that survives a round trip through JSON", () => {
    for (const der of [right, Buffer.alloc(3), issue(qwacPlan()).der]) {
      const report = inspect(present(der));
      expect(JSON.parse(JSON.stringify(report))).to.deep.equal(report);
    }
  });

  it("refuses a certificate with one fault with the verifier's code, and names a remedy", () => {
    for (const [what, code, changes] of wrongCertificates) {
      const presented = present(issue(qwacPlan(changes), issuing).der);
      expectAgreement(presented);
      const failed = inspect(presented).checks.filter(({ outcome }) => outcome === "failed");
      expect(failed[0]?.code, what).to.equal(code);
      for (const { remedy, detail, found } of failed)
        expect(
          [remedy, detail, found].every((text) => text !== undefined && text !== ""),
          what,
        ).to.equal(true);
    }
  });

  it("says how many organisation names the subject has, also when it has none", () => {
    const isName = ({ oid }: { readonly oid: string }) => oid === oids.organisation;
    const detailOf = (subject: ReturnType<typeof tppSubject>) =>
      checkOf(inspect(present(issue(qwacPlan({ subject }), issuing).der)), "organisation_name")?.detail;
    expect(detailOf(tppSubject().filter((each) => !isName(each)))).to.include("it has none");
    expect(detailOf([...tppSubject(), ...tppSubject().filter(isName)])).to.include("has 2,");
  });

  it("says more in its remedies than a TPP is told", () => {
    for (const [, code, changes] of wrongCertificates) {
      const report = inspect(present(issue(qwacPlan(changes), issuing).der));
      expect(report.checks.find((check) => check.code === code)?.remedy).to.not.equal(describeForTpp(code));
    }
  });

  it("continues after a failure with what can still be checked", () => {
    const plan = qwacPlan({
      key: keyOf("rsa-1024"),
      notAfter: utcTime("260601000000Z"),
      subject: tppSubject().filter(({ oid }) => oid !== oids.identifier),
    });
    const report = inspect(present(issue(plan).der, [], "CERT_HAS_EXPIRED"));
    expect(report.code).to.equal("chain_untrusted");
    expect(outcomesOf(report)).to.include({
      well_formed: "passed",
      path: "failed",
      validity: "failed",
      path_in_time: "not_reached",
      key: "failed",
      qc_type: "passed",
      psd2_statement: "passed",
      organisation_identifier: "failed",
      same_authority: "not_reached",
      tpp_role: "passed",
      tls_verdict: "failed",
    });
    expect(checkOf(report, "tls_verdict")?.remedy).to.include("If no other check fails here");
  });

  it("checks nothing but TLS if there is no certificate, or an unreadable one", () => {
    expect(new Set(Object.values(outcomesOf(inspect(undefined))))).to.deep.equal(
      new Set(["failed", "not_reached"]),
    );
    const report = inspect(present(Buffer.from("hello")));
    expect(report.facts).to.equal(undefined);
    expect(checkOf(report, "psd2_statement")).to.deep.include({ outcome: "not_reached" });
    expect(checkOf(report, "tls_verdict")).to.deep.include({ outcome: "passed" });
  });

  it("names the issuer, the anchors and an anchor's namesake with another key if there is no path", () => {
    const impostor = issue(authorityPlan("Issuing CA", { key: keyOf("P-256", "impostor") }));
    const check = checkOf(inspect(present(issue(qwacPlan(), impostor).der, [impostor])), "path");
    expect(check?.found).to.equal(
      "issuer CN=Issuing CA; authority certificates sent: 1; trusted: CN=Issuing CA; a trusted authority has the issuer's name, but did not sign this certificate",
    );
  });

  it("shows the whole path through the intermediates that were sent", () => {
    const root = issue(authorityPlan("Root"));
    const level = issue(authorityPlan("Level 1"), root);
    const trusted = parseTrustAnchors(anchorFile([root]));
    const presented = present(issue(qwacPlan(), level).der, [level]);
    expectAgreement(presented, trusted);
    expect(checkOf(inspect(presented, trusted), "path")?.found).to.equal(
      "CN=Level 1 > CN=Root > service Service 0",
    );
  });

  it("fails a certificate whose trust service has ended, and refers to the trusted list (ETSI TS 119 615)", () => {
    const trusted = parseTrustAnchors(anchorFile([issuing], "2020-01-01T00:00:00Z", "2026-10-01T00:00:00Z"));
    expectAgreement(present(right), trusted);
    const check = checkOf(inspect(present(right), trusted), "path_in_time");
    expect(check).to.include({ outcome: "failed", code: "chain_untrusted" });
    expect(check?.remedy).to.include("trusted list");
  });

  it("agrees with the verifier at every time, even an invalid one", () => {
    for (const time of ["2025-12-31T23:59:59Z", "2027-01-01T00:00:00Z", "2027-01-01T00:00:01Z", "never"])
      expectAgreement(present(right), anchors, new Date(time));
  });

  it("reports the revocation status that it is given (RFC 6960 2.2)", () => {
    const options = { anchors, now };
    const reportWith = (revocation: Parameters<typeof inspectCertificate>[1]["revocation"]) =>
      inspectCertificate(present(right), revocation === undefined ? options : { ...options, revocation });
    const revoked = reportWith({ kind: "refused", code: "certificate_revoked", detail: "since yesterday" });
    expect(revoked).to.include({ accepted: false, code: "certificate_revoked" });
    expect(outcomesOf(reportWith({ kind: "good", detail: "OCSP" })).revocation).to.equal("passed");
    const silent = reportWith({ kind: "unavailable", detail: "timeout" });
    expect(silent.accepted).to.equal(true);
    expect(checkOf(silent, "revocation")).to.deep.include({
      outcome: "not_reached",
      found: "no source gave a usable answer: timeout; the certificate names no OCSP responder and no CRL",
    });
  });

  it("lists the revocation sources and the policies (RFC 5280 4.2.1.13, 4.2.2.1, 4.2.1.4)", () => {
    const extensions = [
      ...qwacExtensions(),
      extension(authorityInformationAccess("http://ocsp.example/")),
      extension(crlDistributionPoints("http://crl.example/a.crl")),
      extension(certificatePolicies("0.4.0.194112.1.4")),
    ];
    const report = inspect(present(issue(qwacPlan({ extensions }), issuing).der));
    expect(report.facts).to.deep.include({
      ocspResponders: ["http://ocsp.example/"],
      crls: ["http://crl.example/a.crl"],
      policies: ["QEVCP-w (0.4.0.194112.1.4)"],
    });
    expect(checkOf(report, "revocation")?.found).to.equal(
      "not asked; OCSP http://ocsp.example/, CRL http://crl.example/a.crl",
    );
  });

  it("yields a report for any octets, in agreement with the verifier", () => {
    const verdict = (der: Buffer, sent: readonly Issued[] = []) => expectAgreement(present(der, sent));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => verdict(Buffer.from(octets))),
      { seed: 7, numRuns: 150 },
    );
    const change = fc.record({
      kind: fc.constantFrom("set" as const, "flip" as const, "insert" as const, "remove" as const),
      place: fc.nat(9999),
      octet: fc.nat(255),
    });
    fc.assert(
      fc.property(change, (mutation) => verdict(mutate(right, mutation), [issuing])),
      { seed: 7, numRuns: 300 },
    );
  });
});
