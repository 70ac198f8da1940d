import { createCertificateVerifier, parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { derUtf8String } from "../../packages/sandbox/src/certificates/der.ts";
import { heapAfterCollection } from "../support/heap-after-collection.ts";
import {
  anchorFile,
  attribute,
  authorityPlan,
  issue,
  keyOf,
  nameOf,
  now,
  oids,
  present,
  qwacExtensions,
  qwacPlan,
  utcTime,
} from "./certificate-builder.ts";
import { refusalOf } from "./refusal-of.ts";

/** A verifier under one authority that counts how often it reads a certificate. */
function countingVerifier(maxRemembered = 100, until: string | null = null) {
  const issuing = issue(authorityPlan("Issuing CA"));
  let examinations = 0;
  const verifier = createCertificateVerifier({
    anchors: parseTrustAnchors(anchorFile([issuing], undefined, until)),
    maxRemembered,
    onExamination: () => {
      examinations += 1;
    },
  });
  return { issuing, verifier, examinations: () => examinations };
}

const later = new Date("2027-01-01T00:00:01Z");

describe("A verifier with a cache", () => {
  it("reads a certificate once for all calls of its connection", () => {
    const { issuing, verifier, examinations } = countingVerifier();
    const presented = present(issue(qwacPlan(), issuing).der);
    const first = verifier.verify(presented, now);
    for (let call = 0; call < 1000; call++) expect(verifier.verify(presented, now)).to.equal(first);
    expect(examinations()).to.equal(1);
  });

  it("reports hits, misses and entries of its two caches, of which one is for strangers", () => {
    const issuing = issue(authorityPlan("Issuing CA"));
    const figures = new Map<string, { hits: number; misses: number; entries: () => number }>();
    const verifier = createCertificateVerifier({
      anchors: parseTrustAnchors(anchorFile([issuing])),
      countCache: (name, entries) => {
        const figure = { hits: 0, misses: 0, entries };
        figures.set(name, figure);
        return {
          hit: () => {
            figure.hits += 1;
          },
          missed: () => {
            figure.misses += 1;
          },
        };
      },
    });
    const [known, strange] = [issue(qwacPlan(), issuing).der, issue(qwacPlan()).der];
    for (const der of [known, known, strange, strange]) {
      const presented = present(der);
      for (let call = 0; call < 2; call += 1) {
        if (der === known) verifier.verify(presented, now);
        else refusalOf(() => verifier.verify(presented, now));
      }
    }
    const told = [...figures].map(([name, { hits, misses, entries }]) => [name, hits, misses, entries()]);
    expect(told).to.deep.equal([
      ["certificates", 3, 3, 1],
      // One that is met for the first time is looked for in both.
      ["strange_certificates", 1, 2, 1],
    ]);
  });

  it("does not read the octets again on the same connection", () => {
    const { issuing, verifier } = countingVerifier();
    let reads = 0;
    const { der } = issue(qwacPlan(), issuing);
    const presented = {
      intermediates: [],
      tlsVerdict: undefined,
      get der() {
        reads += 1;
        return der;
      },
    };
    verifier.verify(presented, now);
    const readsOfFirst = reads;
    verifier.verify(presented, now);
    expect(reads).to.equal(readsOfFirst);
  });

  it("reads a certificate once for all its connections", () => {
    const { issuing, verifier, examinations } = countingVerifier();
    const { der } = issue(qwacPlan(), issuing);
    for (let connection = 0; connection < 20; connection++) verifier.verify(present(Buffer.from(der)), now);
    expect(examinations()).to.equal(1);
  });

  it("caches refusals as well", () => {
    const { issuing, verifier, examinations } = countingVerifier();
    const extensions = qwacExtensions().slice(0, 3);
    for (const { der } of [issue(qwacPlan({ extensions }), issuing), issue(qwacPlan())])
      for (let connection = 0; connection < 5; connection++)
        refusalOf(() => verifier.verify(present(der), now));
    expect(examinations()).to.equal(2);
  });

  it("throws a new error each time, so that callers do not share what one adds to it", () => {
    const { verifier } = countingVerifier();
    const presented = present(issue(qwacPlan()).der);
    const caught = [0, 1].map(() => {
      try {
        return verifier.verify(presented, now);
      } catch (error) {
        return error;
      }
    });
    expect(caught[0]).to.be.instanceOf(Error).and.not.to.equal(caught[1]);
  });

  it("refuses a cached certificate once it has expired, on the same connection too (CRT-19, TLS-12)", () => {
    const { issuing, verifier, examinations } = countingVerifier();
    const presented = present(issue(qwacPlan(), issuing).der);
    verifier.verify(presented, now);
    expect(refusalOf(() => verifier.verify(presented, later))).to.equal("certificate_expired");
    expect(refusalOf(() => verifier.verify(present(presented.der), later))).to.equal("certificate_expired");
    expect(examinations()).to.equal(1);
  });

  it("accepts a cached certificate up to its last second (RFC 5280 4.1.2.5)", () => {
    const { issuing, verifier } = countingVerifier();
    const presented = present(issue(qwacPlan(), issuing).der);
    expect(refusalOf(() => verifier.verify(presented, new Date("2025-12-31T23:59:59Z")))).to.equal(
      "certificate_not_yet_valid",
    );
    for (const at of ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"])
      expect(refusalOf(() => verifier.verify(presented, new Date(at)))).to.equal("accepted");
  });

  it("refuses a cached certificate once its trust service is no longer qualified", () => {
    const { issuing, verifier } = countingVerifier(100, "2026-12-01T00:00:00Z");
    const presented = present(issue(qwacPlan(), issuing).der);
    expect(refusalOf(() => verifier.verify(presented, now))).to.equal("accepted");
    expect(refusalOf(() => verifier.verify(presented, new Date("2026-12-01T00:00:00Z")))).to.equal(
      "chain_untrusted",
    );
  });

  it("refuses a cached certificate once an authority above it has expired", () => {
    const root = issue(authorityPlan("Root"));
    const issuing = issue(authorityPlan("Level 1", { notAfter: utcTime("261201000000Z") }), root);
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const presented = present(issue(qwacPlan(), issuing).der, [issuing]);
    expect(refusalOf(() => verifier.verify(presented, now))).to.equal("accepted");
    expect(refusalOf(() => verifier.verify(presented, new Date("2026-12-01T00:00:01Z")))).to.equal(
      "chain_untrusted",
    );
  });

  it("refuses a certificate at an invalid time", () => {
    const { issuing, verifier } = countingVerifier();
    const presented = present(issue(qwacPlan(), issuing).der);
    expect(refusalOf(() => verifier.verify(presented, new Date(Number.NaN)))).to.equal("certificate_expired");
  });

  it("does not let callers change the dates of a cached identity", () => {
    const { issuing, verifier } = countingVerifier();
    const presented = present(issue(qwacPlan(), issuing).der);
    verifier.verify(presented, now).notAfter.setFullYear(2099);
    expect(refusalOf(() => verifier.verify(presented, later))).to.equal("certificate_expired");
  });

  it("keeps the TLS verdict with the connection that it belongs to", () => {
    const { issuing, verifier } = countingVerifier();
    const { der } = issue(qwacPlan(), issuing);
    expect(refusalOf(() => verifier.verify(present(der, [], "INVALID_PURPOSE"), now))).to.equal(
      "chain_untrusted",
    );
    expect(refusalOf(() => verifier.verify(present(der), now))).to.equal("accepted");
    expect(refusalOf(() => verifier.verify(present(der, [], "INVALID_PURPOSE"), now))).to.equal(
      "chain_untrusted",
    );
  });

  it("accepts a certificate that came without its intermediates before", () => {
    const root = issue(authorityPlan("Root"));
    const issuing = issue(authorityPlan("Level 1"), root);
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const { der } = issue(qwacPlan(), issuing);
    expect(refusalOf(() => verifier.verify(present(der), now))).to.equal("chain_untrusted");
    expect(refusalOf(() => verifier.verify(present(der, [issuing]), now))).to.equal("accepted");
  });

  it("reads the intermediates only while it knows no path of the leaf", () => {
    const { issuing, verifier } = countingVerifier();
    const { der } = issue(qwacPlan(), issuing);
    let asked = 0;
    const connect = () => ({
      ...present(der),
      get intermediates() {
        asked += 1;
        return [];
      },
    });
    verifier.verify(connect(), now);
    const first = asked;
    verifier.verify(connect(), now);
    expect([first > 0, asked - first]).to.deep.equal([true, 0]);
  });

  it("finds another path when the cached one has expired, also on an open connection", () => {
    const root = issue(authorityPlan("Root"));
    const renewed = issue(authorityPlan("Level 1"), root);
    const short = issue(authorityPlan("Level 1", { notAfter: utcTime("261201000000Z") }), root);
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const { der } = issue(qwacPlan(), renewed);
    expect(refusalOf(() => verifier.verify(present(der, [short]), now))).to.equal("accepted");
    const open = present(der, [renewed]);
    expect(refusalOf(() => verifier.verify(open, now))).to.equal("accepted");
    const lapsed = new Date("2026-12-01T00:00:01Z");
    expect(refusalOf(() => verifier.verify(present(der, [short]), lapsed))).to.equal("chain_untrusted");
    expect(refusalOf(() => verifier.verify(open, lapsed))).to.equal("accepted");
  });

  it("has a bounded cache, from which strangers displace nobody", () => {
    const { issuing, verifier, examinations } = countingVerifier(2);
    const known = issue(qwacPlan(), issuing).der;
    verifier.verify(present(known), now);
    const strangers = Array.from(
      { length: 5 },
      () => issue(qwacPlan({ key: keyOf("P-256", "stranger") })).der,
    );
    for (const der of strangers) refusalOf(() => verifier.verify(present(der), now));
    verifier.verify(present(known), now);
    expect(examinations()).to.equal(1 + strangers.length);
    for (const der of strangers.slice(0, 1)) refusalOf(() => verifier.verify(present(der), now));
    expect(examinations()).to.equal(2 + strangers.length);
  });

  it("keeps little of a stranger's certificate, however long its names are", () => {
    const { verifier } = countingVerifier(1000);
    const issuerOf = (at: number) => ({
      name: nameOf([attribute(oids.organisation, derUtf8String(`${at}`.padEnd(7000, "ů")))]),
      key: keyOf("P-256", "stranger"),
    });
    const before = heapAfterCollection();
    for (let at = 0; at < 500; at++)
      refusalOf(() => verifier.verify(present(issue(qwacPlan(), issuerOf(at)).der), now));
    expect((heapAfterCollection() - before) / 500, "bytes each").to.be.below(6_000);
    expect(refusalOf(() => verifier.verify(present(issue(qwacPlan(), issuerOf(0)).der), now))).to.equal(
      "chain_untrusted",
    );
  });
});
