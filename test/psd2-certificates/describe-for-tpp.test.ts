import { CertificateRefusal, certificateRefusalMeanings, describeForTpp } from "@cobs/psd2-certificates";
import { expect } from "chai";

const codes = Object.keys(certificateRefusalMeanings).filter(
  (code): code is keyof typeof certificateRefusalMeanings => code in certificateRefusalMeanings,
);

describe("The sentence that explains a refusal to a TPP", () => {
  it("exists for every code, differs from all others, and is short", () => {
    const sentences = codes.map(describeForTpp);
    expect(new Set(sentences).size).to.equal(codes.length);
    for (const sentence of sentences) expect(sentence).to.match(/^[A-Z].{20,160}\.$/);
  });

  it("names no software and no trust anchor", () => {
    for (const code of codes) expect(describeForTpp(code)).to.not.match(/openssl|node|anchor|DER reader/i);
  });
});

describe("A certificate refusal", () => {
  it("keeps its detail, which is for the log only, out of its message", () => {
    const refusal = new CertificateRefusal("role_unknown", "role 1.2.3");
    expect(refusal).to.include({ message: "role_unknown", code: "role_unknown", detail: "role 1.2.3" });
  });

  it("has a detail that cannot forge a log line and is limited in length", () => {
    const { detail } = new CertificateRefusal("role_unknown", `a\n\u202eb\u2028${"x".repeat(5000)}`);
    expect(detail).to.match(/^a\?\?b\?x+$/);
    expect(detail.length).to.be.at.most(300);
  });
});
