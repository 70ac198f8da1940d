import { createCertificateMetrics, createMetrics } from "@cobs/service-edge";
import { expect } from "chai";

describe("Certificate metrics", () => {
  it("count refusals, revocation answers and decisions, and show the trust anchors in force", async () => {
    const metrics = createMetrics("test");
    const certificates = createCertificateMetrics(metrics);
    certificates.refused("certificate_expired");
    certificates.refused("certificate_expired");
    certificates.refusalsLost("known", 3);
    certificates.revocation({ kind: "answer", source: "ocsp", outcome: "good" });
    certificates.revocation({ kind: "decision", decision: "grace" });
    certificates.anchors({ revision: 7, count: 12 });
    certificates.anchorsRefused();
    const { body } = await metrics.present();
    expect(body.split("\n")).to.include.members([
      'certificate_refusals_total{code="certificate_expired",service="test"} 2',
      'certificate_refusals_lost_total{issuer="known",service="test"} 3',
      'certificate_refusals_lost_total{issuer="unknown",service="test"} 0',
      'revocation_answers_total{source="ocsp",outcome="good",service="test"} 1',
      'revocation_decisions_total{decision="grace",service="test"} 1',
      'trust_anchors_revision{service="test"} 7',
      'trust_anchors{service="test"} 12',
      'trust_anchor_refusals_total{service="test"} 1',
      'trust_anchors_file_refused{service="test"} 1',
    ]);
  });
});
