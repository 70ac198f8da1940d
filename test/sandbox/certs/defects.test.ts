import { X509Certificate } from "node:crypto";
import {
  certificateRefusalMeanings,
  createCertificateVerifier,
  inspectCertificate,
  parseTrustAnchors,
} from "@cobs/psd2-certificates";
import { expect } from "chai";
import type { CarriedOut } from "../../../packages/sandbox/src/certificates/carry-out-order.ts";
import { orderOfProfile } from "../../../packages/sandbox/src/certificates/certificate-order.ts";
import { defects, orderWithChange } from "../../../packages/sandbox/src/certificates/defects.ts";
import { oddities } from "../../../packages/sandbox/src/certificates/oddities.ts";
import { readTppProfile } from "../../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { createTestCa } from "../../../packages/sandbox/src/certificates/test-ca.ts";
import { presentAnchors } from "../../../packages/sandbox/src/certificates/test-ca-files.ts";
import { refusalOf } from "../../psd2-certificates/refusal-of.ts";
import { carryOutAll, presentedOf } from "../../support/certificate-matrix.ts";

const now = new Date("2026-11-15T12:00:00Z");
const sources = { ocsp: "http://localhost:8447/ocsp", crl: "http://localhost:8447/crl/issuing.crl" };
const isAskedAbout = ["certificate_revoked", "revocation_source_missing"];
describe("Defects and oddities of the test CA", function tables() {
  this.timeout(120_000);
  let certificates: ReadonlyMap<string, CarriedOut>;
  let anchors: ReturnType<typeof parseTrustAnchors>;
  const found = (name: string): CarriedOut => {
    const certificate = certificates.get(name);
    if (certificate === undefined) throw new TypeError(`there is no ${name}`);
    return certificate;
  };

  before(async () => {
    const ca = await createTestCa(now);
    const right = orderOfProfile(await readTppProfile("aisp-pisp"), { now, sources });
    anchors = parseTrustAnchors(presentAnchors(ca));
    const carriedOut = await carryOutAll(
      [
        right,
        ...defects.map((defect) => orderWithChange(right, defect)),
        ...oddities.map((oddity) => orderWithChange(right, oddity)),
      ],
      ca,
    );
    certificates = new Map(carriedOut.map((each) => [each.name, each]));
  });

  it("start from a certificate that is accepted", () => {
    const { verify } = createCertificateVerifier({ anchors });
    expect(verify(presentedOf(found("aisp-pisp")), now).roles).to.deep.equal(["PSP_PI", "PSP_AI"]);
  });

  for (const { name, wrong, code, clause } of defects) {
    const expected = isAskedAbout.includes(code) ? "accepted" : code;
    it(`include ${name}, ${expected === "accepted" ? "right in itself" : `refused with ${code}`}: ${wrong} (${clause})`, () => {
      const presented = presentedOf(found(name));
      const { verify } = createCertificateVerifier({ anchors });
      expect(refusalOf(() => verify(presented, now))).to.equal(expected);
      expect(inspectCertificate(presented, { anchors, now }).code ?? "accepted").to.equal(expected);
    });
  }

  for (const { name, odd, clause } of oddities) {
    it(`include ${name}, accepted: ${odd} (${clause})`, () => {
      const presented = presentedOf(found(name));
      const { verify } = createCertificateVerifier({ anchors });
      expect(refusalOf(() => verify(presented, now))).to.equal("accepted");
      expect(inspectCertificate(presented, { anchors, now }).accepted).to.equal(true);
    });
  }

  it("fail exactly one check, so that nothing else could have refused them", () => {
    const several = defects
      .filter(({ code }) => !isAskedAbout.includes(code) && code !== "certificate_malformed")
      .filter(({ name }) => {
        const { checks } = inspectCertificate(presentedOf(found(name)), { anchors, now });
        return checks.filter(({ outcome }) => outcome === "failed").length !== 1;
      });
    expect(several.map(({ name }) => name)).to.deep.equal([]);
  });

  it("cover every code except that of a missing certificate", () => {
    const codes = new Set(defects.map(({ code }) => code));
    const all = Object.keys(certificateRefusalMeanings).filter((code) => code !== "certificate_absent");
    expect([...codes]).to.have.members(all);
  });

  it("have names of their own in kebab-case, a sentence and a clause", () => {
    const all = [
      ...defects.map((each) => ({ ...each, text: each.wrong })),
      ...oddities.map((each) => ({ ...each, text: each.odd })),
    ];
    expect(new Set(all.map(({ name }) => name)).size).to.equal(all.length);
    for (const { name, text, clause } of all) {
      expect(name).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(text).to.match(/^[A-Z].*\.$/);
      expect(clause).to.match(/\d/);
    }
  });

  it("include at least sixty that a TLS client can present, and fifteen oddities", () => {
    expect(defects.filter(({ carriedBy }) => carriedBy === "tls")).to.have.length.at.least(60);
    expect(oddities).to.have.length.at.least(15);
  });

  it("have their own serial number where they name one", () => {
    const { serialNumber } = found("no-policies");
    expect(new X509Certificate(found("no-policies").der).serialNumber.toLowerCase()).to.equal(serialNumber);
  });
});
