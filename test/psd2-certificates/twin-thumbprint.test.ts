import { createHash } from "node:crypto";
import { createCertificateVerifier, parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { derElement } from "../../packages/sandbox/src/certificates/der.ts";
import { orders, twinOf } from "../support/twin-certificate.ts";
import {
  anchorFile,
  authorityPlan,
  type Issued,
  issue,
  keyOf,
  now,
  present,
  qwacPlan,
} from "./certificate-builder.ts";

const thumbprintOf = (der: Buffer) => createHash("sha256").update(der).digest("base64url");

function verified(leaf: Buffer, issuing: Issued) {
  return createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([issuing])) }).verify(
    present(leaf),
    now,
  );
}

describe("The twin of a certificate, which its holder can make without any key", () => {
  for (const [curve, order] of Object.entries(orders)) {
    const key = keyOf(curve as keyof typeof orders, "authority");
    const issuing = issue(authorityPlan("Issuing CA", { key }));
    it(`is equally valid, and each knows the other's thumbprint: ${curve}`, () => {
      for (let serial = 1; serial <= 20; serial++) {
        const plan = qwacPlan({ serial: derElement(0x02, Buffer.from([serial])) });
        const leaf = issue(plan, issuing).der;
        const twin = twinOf(leaf, order);
        expect(verified(leaf, issuing)).to.include({
          thumbprint: thumbprintOf(leaf),
          twinThumbprint: thumbprintOf(twin),
        });
        expect(verified(twin, issuing)).to.include({
          thumbprint: thumbprintOf(twin),
          twinThumbprint: thumbprintOf(leaf),
        });
      }
    });
  }

  it("does not exist if no elliptic curve signed the certificate", () => {
    const issuing = issue(
      authorityPlan("Issuing CA", {
        key: keyOf("rsa-2048", "authority"),
        signedWith: "rsa-sha256",
      }),
    );
    const leaf = issue(qwacPlan({ signedWith: "rsa-sha256" }), issuing);
    expect(verified(leaf.der, issuing).twinThumbprint).to.equal(undefined);
  });
});
