import { CertificateRefusal, certificateRefusalMeanings, describeForTpp } from "@cobs/psd2-certificates";
import { expect } from "chai";

const codes = Object.keys(certificateRefusalMeanings).filter(
  (code): code is keyof typeof certificateRefusalMeanings => code in certificateRefusalMeanings,
);

describe("The sentence for a TPP", () => {
  it("exists for every code, is one of its own, and is short", () => {
    const sentences = codes.map(describeForTpp);
    expect(new Set(sentences).size).to.equal(codes.length);
    for (const sentence of sentences) expect(sentence).to.match(/^[A-Z].{20,160}\.$/);
  });

  it("names no software and no anchor", () => {
    for (const code of codes) expect(describeForTpp(code)).to.not.match(/openssl|node|anchor|DER reader/i);
  });
});

describe("A refusal", () => {
  it("has a message without its detail, which is for the log alone", () => {
    const refusal = new CertificateRefusal("role_unknown", "role 1.2.3");
    expect(refusal).to.include({ message: "role_unknown", code: "role_unknown", detail: "role 1.2.3" });
  });

  it("has a detail that forges no line of a log and does not grow with the certificate", () => {
    const { detail } = new CertificateRefusal("role_unknown", `a\n\u202eb\u2028${"x".repeat(5000)}`);
    expect(detail).to.match(/^a\?\?b\?x+$/);
    expect(detail.length).to.be.at.most(300);
  });
});
