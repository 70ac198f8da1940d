import { CertificateRefusal, createCertificateVerifier, parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import {
  basicConstraints,
  qcStatements,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import { encodeQcStatements } from "../../packages/sandbox/src/certificates/qc-statements.ts";
import {
  anchorFile,
  authorityPlan,
  extension,
  issue,
  keyOf,
  now,
  type Plan,
  present,
  qwacExtensions,
  qwacPlan,
  utcTime,
} from "./certificate-builder.ts";
import { refusalOf } from "./refusal-of.ts";
import { wrongCertificates } from "./wrong-certificates.ts";

describe("A certificate with one fault", () => {
  const issuing = issue(authorityPlan("Issuing CA"));
  const anchors = parseTrustAnchors(anchorFile([issuing]));
  const verify = (der: Buffer) => createCertificateVerifier({ anchors }).verify(present(der), now);

  it("is accepted without that fault", () => {
    expect(verify(issue(qwacPlan(), issuing).der).roles).to.deep.equal(["PSP_AI", "PSP_PI"]);
  });

  it("is accepted in its first and its last second (RFC 5280 4.1.2.5)", () => {
    for (const at of ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"]) {
      const verifier = createCertificateVerifier({ anchors });
      const { der } = issue(qwacPlan(), issuing);
      expect(verifier.verify(present(der), new Date(at)).roles, at).to.deep.equal(["PSP_AI", "PSP_PI"]);
    }
  });

  it("is refused with certificate_expired at an invalid time", () => {
    const { der } = issue(qwacPlan(), issuing);
    const verifier = createCertificateVerifier({ anchors });
    expect(refusalOf(() => verifier.verify(present(der), new Date(Number.NaN)))).to.equal(
      "certificate_expired",
    );
  });

  for (const [what, code, changes] of wrongCertificates) {
    it(`is refused with ${code}: ${what}`, () => {
      const { der } = issue(qwacPlan(changes), issuing);
      expect(refusalOf(() => verify(der))).to.equal(code);
    });
  }

  const oneName = "the subject must have exactly one readable organizationName";
  for (const [fault, told] of [
    ["no organisation name", `${oneName}: it has none`],
    ["an organisation name of spaces", `${oneName}: it has 1, the first "   "`],
    [
      "the legislation of another country",
      "QcCClegislation is present, so the certificate is not qualified under the law of the EU",
    ],
  ])
    it(`is told what is so, and no more: ${fault}`, () => {
      const [, , changes] = wrongCertificates.find(([what]) => what === fault) ?? [];
      const { der } = issue(qwacPlan(changes), issuing);
      expect(() => verify(der))
        .to.throw(CertificateRefusal)
        .with.property("detail", told);
    });

  for (const signedWith of ["rsa-md5", "rsa-sha1", "pss-sha1"] as const) {
    it(`is refused with signature_weak: ${signedWith}`, () => {
      const rsa = issue(authorityPlan("RSA CA", { key: keyOf("rsa-2048") }));
      const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([rsa])) });
      const { der } = issue(qwacPlan({ signedWith }), rsa);
      expect(refusalOf(() => verifier.verify(present(der), now))).to.equal("signature_weak");
    });
  }

  it("is refused with certificate_malformed: octets added at the end or the front, or missing", () => {
    const { der } = issue(qwacPlan(), issuing);
    const wrong = [
      Buffer.concat([der, Buffer.alloc(1)]),
      Buffer.concat([Buffer.alloc(1), der]),
      der.subarray(0, -1),
    ];
    const codes = [...wrong, Buffer.alloc(0), Buffer.alloc(20_000, 0x30)].map((bytes) =>
      refusalOf(() => verify(bytes)),
    );
    expect(new Set(codes)).to.deep.equal(new Set(["certificate_malformed"]));
  });

  it("is refused with certificate_malformed: more than 16,384 octets", () => {
    const signer = issue(authorityPlan("Ed25519 CA", { key: keyOf("ed25519") }));
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([signer])) });
    const filled = (count: number) => {
      const filling = extension({ oid: "1.2.3.4", critical: false, value: Buffer.alloc(count) });
      return issue(qwacPlan({ extensions: [...qwacExtensions(), filling] }), signer).der;
    };
    const most = 16_384 - (filled(10_000).length - 10_000);
    expect(filled(most)).to.have.length(16_384);
    expect(refusalOf(() => verifier.verify(present(filled(most)), now))).to.equal("accepted");
    expect(refusalOf(() => verifier.verify(present(filled(most + 1)), now))).to.equal(
      "certificate_malformed",
    );
  });

  it("is refused with certificate_malformed: PEM instead of DER", () => {
    expect(refusalOf(() => verify(Buffer.from(issue(qwacPlan(), issuing).pem)))).to.equal(
      "certificate_malformed",
    );
  });

  it("is refused with certificate_malformed: a stranger's, around a genuine PEM that Node.js reads instead", () => {
    const genuine = issue(qwacPlan(), issuing);
    const copy = extension({ oid: "1.2.3.4", critical: false, value: Buffer.from(`\n${genuine.pem}`) });
    const forged = qwacPlan({ extensions: [...qwacExtensions(), copy], key: keyOf("P-256", "stranger") });
    expect(
      refusalOf(() => verify(issue(forged, { ...issuing, key: keyOf("P-256", "stranger") }).der)),
    ).to.equal("certificate_malformed");
  });

  it("is refused with certificate_absent when there is none", () => {
    const verifier = createCertificateVerifier({ anchors });
    expect(refusalOf(() => verifier.verify(undefined, now))).to.equal("certificate_absent");
  });
});

describe("A certificate with several faults", () => {
  const issuing = issue(authorityPlan("Issuing CA"));
  const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([issuing])) });
  const codeOf = (plan: Plan, issuer = issuing) =>
    refusalOf(() => verifier.verify(present(issue(plan, issuer).der, [], "UNSPECIFIED"), now));
  const bare = { extensions: [extension(basicConstraints(false))] };
  const expired = { notAfter: utcTime("260601000000Z") };

  it("is called untrusted first, so that a stranger learns nothing else", () => {
    expect(codeOf(qwacPlan({ ...bare, ...expired }), issue(authorityPlan("Stranger")))).to.equal(
      "chain_untrusted",
    );
  });

  it("is called expired if a trusted authority issued it, whatever else is wrong", () => {
    expect(codeOf(qwacPlan({ ...bare, ...expired, key: keyOf("rsa-1024") }))).to.equal("certificate_expired");
  });

  it("is called a seal before its purposes are checked (EN 319 412-5 4.2.3)", () => {
    const extensions = [extension(qcStatements(encodeQcStatements("eseal")))];
    expect(codeOf(qwacPlan({ extensions }))).to.equal("qc_type_not_web");
  });

  it("is refused for what is wrong with it rather than for the TLS verdict", () => {
    expect(codeOf(qwacPlan({ key: keyOf("rsa-1024") }))).to.equal("key_weak");
  });

  it("is refused with chain_untrusted if only TLS says no", () => {
    expect(codeOf(qwacPlan())).to.equal("chain_untrusted");
  });
});
