import {
  inspectCertificate,
  parseTrustAnchors,
  presentReport,
  type RevocationStanding,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import {
  anchorFile,
  authorityPlan,
  issue,
  now,
  type Plan,
  present,
  qwacPlan,
  tppSubject,
  utcTime,
} from "../certificate-builder.ts";
import { wrongCertificates } from "../wrong-certificates.ts";

const issuing = issue(authorityPlan("Issuing CA"));
const anchors = parseTrustAnchors(anchorFile([issuing]));
const pageOf = (changes: Partial<Plan>, revocation?: RevocationStanding) =>
  presentReport(
    inspectCertificate(present(issue(qwacPlan(changes), issuing).der), {
      anchors,
      now,
      ...(revocation && { revocation }),
    }),
  );

/** Nothing that moves the cursor, hides, or turns the direction of text. */
const unruly = /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?!\n)\p{Cc}/u;

describe("A certificate report for people", () => {
  it("begins with the verdict, and marks every check", () => {
    const lines = pageOf({}).split("\n");
    expect(lines[0]).to.equal("ACCEPTED except for revocation, which is unknown, as of 2026-11-15T12:00:00Z");
    expect(lines.filter((line) => line.startsWith("✓ "))).to.have.length(18);
    expect(lines.filter((line) => line.startsWith("– "))).to.have.length(1);
    expect(lines).to.include("✓ It is for website authentication      ETSI EN 319 412-5 4.2.3");
    expect(lines).to.include("  Identifier     PSDCZ-CNB-63492555");
    expect(lines.filter((line) => /^ {2}(Thumbprint|Other form) +[\w-]{43}$/.test(line))).to.have.length(2);
    expect(lines).to.include("  Valid          2026-01-01T00:00:00Z to 2027-01-01T00:00:00Z (46 days left)");
  });

  it("accepts without reservation only if the certificate is known to be good (RFC 6960 2.2)", () => {
    const good = pageOf({}, { kind: "good", detail: "OCSP" });
    expect(good).to.match(/^ACCEPTED, as of /);
    const silent = pageOf({}, { kind: "unavailable", detail: "no source answers" });
    expect(silent).to.match(/^ACCEPTED except for revocation, which is unknown, as of /);
  });

  it("counts no days for an expired certificate", () => {
    const page = pageOf({ notAfter: utcTime("261112000000Z") });
    expect(page).to.include("to 2026-11-12T00:00:00Z (over)");
    expect(page).to.match(/checked at 2026-11-15T12:00:00Z,\s+over\n/);
  });

  it("explains a failure with its code, what was found and the remedy", () => {
    const page = pageOf({ subject: tppSubject("PSDSK-NBS-63492555") });
    expect(page).to.match(/^REFUSED with authority_mismatch, /);
    expect(page).to.include(
      [
        "✗ It names one competent authority      ETSI TS 119 495 5.2.1, 5.2.3",
        "    Refused        authority_mismatch: PSDSK-NBS-63492555 does not match nCAId CZ-CNB",
        "    Found          PSDSK-NBS-63492555, and nCAId CZ-CNB",
        "    Remedy         Ask the trust service provider for a new certificate in which the organisation",
        "                   identifier and nCAId name the same country and authority, those of the licence.",
      ].join("\n"),
    );
  });

  it("fits 100 columns whatever is wrong", () => {
    for (const [what, , changes] of wrongCertificates)
      for (const line of pageOf(changes).split("\n"))
        expect([...line].length, `${what}: ${line}`).to.be.most(100);
  });

  for (const [what, name] of [
    ["control characters", "Evil\r\n✓ It is not revoked\u001b[2J\u0007"],
    ["characters that turn the direction of text", "Evil \u202egnitset\u202c \u2067x\u2069"],
    ["line separators", "Evil\u2028✓ fine\u2029\u0085"],
    ["invisible characters", "Ev\u200bil\ufeff\u00ad"],
    ["letters and signs that are drawn as nothing", "Ev\u2800il\u3164\u034f\ufe0f\u{1d159}"],
    ["ten thousand characters", "žluťoučký kůň ".repeat(715)],
    ["one word of ten thousand characters", "🏦".repeat(5_000)],
    ["accents piled up", `E${"\u0301".repeat(2_000)}vil`],
  ] as const) {
    it(`keeps its layout with ${what} in every name`, () => {
      const page = pageOf({ subject: tppSubject(`PSDCZ-CNB-${name}`, name) });
      expect(page).to.not.match(unruly);
      for (const line of page.split("\n")) expect([...line].length).to.be.most(100);
      expect(page.split("\n").filter((line) => line.startsWith("✓ It is not revoked"))).to.have.length(0);
      expect(page.length).to.be.below(12_000);
    });
  }
});
