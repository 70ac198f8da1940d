import { createPublicKey, X509Certificate } from "node:crypto";
import { createCertificateVerifier, parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { createPathVerifier } from "../../packages/psd2-certificates/src/certificate-verifier.ts";
import {
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  permittedDnsNames,
} from "../../packages/sandbox/src/certificates/certificate-extension.ts";
import {
  anchorFile,
  authorityPlan,
  extension,
  type Issued,
  issue,
  keyOf,
  now,
  type Plan,
  pointOf,
  present,
  qwacPlan,
  utcTime,
} from "./certificate-builder.ts";
import { refusalOf } from "./refusal-of.ts";

const limited = (pathLength: number) => ({
  extensions: [extension(basicConstraints(true, pathLength)), extension(keyUsage("keyCertSign"))],
});

/** Authorities in a row, the first one signed by itself, each with a change. */
function row(...changes: readonly Partial<Plan>[]): readonly Issued[] {
  const issued: Issued[] = [];
  for (const change of changes)
    issued.push(issue(authorityPlan(`Level ${issued.length}`, change), issued.at(-1)));
  return issued;
}

/** What becomes of a right QWAC under the last of a row, when the first is the anchor and the others are presented. */
function underRow(changes: readonly Partial<Plan>[], file?: (anchor: Issued) => string) {
  const [anchor, ...intermediates] = row(...changes);
  if (anchor === undefined) throw new TypeError("a row has an anchor");
  const leaf = issue(qwacPlan(), intermediates.at(-1) ?? anchor);
  const verifier = createCertificateVerifier({
    anchors: parseTrustAnchors(file?.(anchor) ?? anchorFile([anchor])),
  });
  return refusalOf(() => verifier.verify(present(leaf.der, intermediates), now));
}

describe("A path to an anchor (RFC 5280 6.1)", () => {
  it("may have at most five authorities", () => {
    expect(underRow([{}, {}, {}, {}, {}])).to.equal("accepted");
    expect(underRow([{}, {}, {}, {}, {}, {}])).to.equal("chain_untrusted");
  });

  it("may start at an issuing authority that is an anchor without a known root", () => {
    const [, issuing] = row({}, {});
    const anchors = parseTrustAnchors(anchorFile(issuing === undefined ? [] : [issuing]));
    const leaf = issue(qwacPlan(), issuing);
    expect(refusalOf(() => createCertificateVerifier({ anchors }).verify(present(leaf.der), now))).to.equal(
      "accepted",
    );
  });

  it("is found whatever the order, duplicates and strays among the intermediates", () => {
    const [root, first, second] = row({}, {}, {});
    if (root === undefined || first === undefined || second === undefined) throw new TypeError();
    const stray = { ...issue(authorityPlan("Stray")), der: Buffer.from("3003020101", "hex") };
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const presented = present(issue(qwacPlan(), second).der, [stray, root, first, first, second]);
    expect(verifier.verify(presented, now).country).to.equal("CZ");
  });

  it("contains no certificate twice", () => {
    const [root, issuing] = row({}, {});
    if (root === undefined || issuing === undefined) throw new TypeError();
    const plan = authorityPlan("Level 0", { notAfter: utcTime("390101000000Z") });
    const renewed = issue(plan, root);
    const verifier = createPathVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const presented = present(issue(qwacPlan(), issuing).der, [issuing, renewed, root]);
    const { holding } = verifier.verifyPaths(presented, now);
    expect(holding.map(({ links }) => links.length)).to.deep.equal([2, 3]);
  });

  it("is stored once, whatever else is sent along on other connections", () => {
    const [root, issuing] = row({}, {});
    if (root === undefined || issuing === undefined) throw new TypeError();
    const verifier = createPathVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const { der } = issue(qwacPlan(), issuing);
    expect(verifier.verifyPaths(present(der, [issuing]), now).holding).to.have.length(1);
    const other = present(der, [issuing, issue(authorityPlan("Stray"))]);
    expect(verifier.verifyPaths(other, now).holding).to.have.length(1);
    expect(verifier.findOthers(other, now)).to.have.length(1);
    const renewed = issue(authorityPlan("Level 0", { notAfter: utcTime("390101000000Z") }), root);
    expect(verifier.findOthers(present(der, [issuing, renewed]), now)).to.have.length(2);
  });

  it("is refused without the intermediates that it needs", () => {
    const [root, issuing] = row({}, {});
    if (root === undefined) throw new TypeError();
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    expect(refusalOf(() => verifier.verify(present(issue(qwacPlan(), issuing).der), now))).to.equal(
      "chain_untrusted",
    );
  });

  it("is refused through an authority's namesake with another key", () => {
    const real = issue(authorityPlan("Issuing CA"));
    const impostor = issue(authorityPlan("Issuing CA", { key: keyOf("P-256", "impostor") }));
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([real])) });
    const presented = present(issue(qwacPlan(), impostor).der, [impostor]);
    expect(refusalOf(() => verifier.verify(presented, now))).to.equal("chain_untrusted");
  });

  it("is refused through a TPP that issues certificates with its own", () => {
    const root = issue(authorityPlan("Level 0"));
    const tpp = issue(qwacPlan({ key: keyOf("P-256", "tpp") }), root);
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    expect(refusalOf(() => verifier.verify(present(issue(qwacPlan(), tpp).der, [tpp]), now))).to.equal(
      "chain_untrusted",
    );
  });

  it("is refused for a self-signed leaf", () => {
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile(row({}))) });
    expect(refusalOf(() => verifier.verify(present(issue(qwacPlan()).der), now))).to.equal("chain_untrusted");
  });

  const unfit: readonly (readonly [string, Partial<Plan>])[] = [
    [
      "is no authority",
      { extensions: [extension(basicConstraints(false)), extension(keyUsage("keyCertSign"))] },
    ],
    ["says nothing about being one", { extensions: [extension(keyUsage("keyCertSign"))] }],
    [
      "may not sign certificates",
      { extensions: [extension(basicConstraints(true)), extension(keyUsage("cRLSign"))] },
    ],
    [
      "has purposes without clientAuth",
      { extensions: [extension(basicConstraints(true)), extension(extendedKeyUsage("serverAuth"))] },
    ],
    [
      "has name constraints",
      { extensions: [extension(basicConstraints(true)), extension(permittedDnsNames("example"))] },
    ],
    [
      "has name constraints that are not critical",
      {
        extensions: [
          extension(basicConstraints(true)),
          extension({ ...permittedDnsNames("example"), critical: false }),
        ],
      },
    ],
    [
      "has limits that are not evaluated here (RFC 5280 4.2.1.11)",
      {
        extensions: [
          extension(basicConstraints(true)),
          extension({ oid: "2.5.29.36", critical: true, value: Buffer.from("3003800100", "hex") }),
        ],
      },
    ],
    ["has a weak key", { key: keyOf("rsa-1024") }],
    ["has its key at infinity, of which Node.js 20 would die", { encodedKey: pointOf(Buffer.alloc(1)) }],
    ["is signed with SHA-1", { signedWith: "ecdsa-sha1" }],
    ["has expired", { notAfter: utcTime("260601000000Z") }],
    ["is not yet valid", { notBefore: utcTime("261201000000Z") }],
  ];
  for (const [what, changes] of unfit) {
    it(`is refused through an intermediate that ${what}`, () => {
      expect(underRow([{}, changes])).to.equal("chain_untrusted");
    });
  }

  it("is accepted through an intermediate in its first and its last second (RFC 5280 4.1.2.5)", () => {
    expect(underRow([{}, { notBefore: utcTime("261115120000Z") }])).to.equal("accepted");
    expect(underRow([{}, { notAfter: utcTime("261115120000Z") }])).to.equal("accepted");
    expect(underRow([{}, { notBefore: utcTime("261115120001Z") }])).to.equal("chain_untrusted");
    expect(underRow([{}, { notAfter: utcTime("261115115959Z") }])).to.equal("chain_untrusted");
  });

  it("is accepted to an anchor in its first and its last second, and not outside", () => {
    expect(underRow([{ notBefore: utcTime("261115120000Z") }])).to.equal("accepted");
    expect(underRow([{ notAfter: utcTime("261115120000Z") }])).to.equal("accepted");
    expect(underRow([{ notBefore: utcTime("261115120001Z") }])).to.equal("chain_untrusted");
    expect(underRow([{ notAfter: utcTime("261115115959Z") }])).to.equal("chain_untrusted");
  });

  it("is accepted through an intermediate without keyUsage, which then limits nothing (RFC 5280 4.2.1.3)", () => {
    expect(underRow([{}, { extensions: [extension(basicConstraints(true))] }])).to.equal("accepted");
  });

  it("respects the path length of every authority on it (RFC 5280 4.2.1.9)", () => {
    expect(underRow([limited(1), {}])).to.equal("accepted");
    expect(underRow([limited(1), limited(0)])).to.equal("accepted");
    expect(underRow([limited(0), {}])).to.equal("chain_untrusted");
    expect(underRow([{}, limited(0), {}])).to.equal("chain_untrusted");
  });

  it("does not count a self-issued authority towards the path length (RFC 5280 4.2.1.9)", () => {
    const same = authorityPlan("Level 0");
    expect(underRow([limited(0), { subject: same.subject, key: keyOf("P-256", "renewed") }])).to.equal(
      "accepted",
    );
  });

  it("is refused outside the period of the trust service, at the call or at issue (ETSI TS 119 612)", () => {
    const qualified = (from: string, until: string | null) =>
      underRow([{}], (anchor) => anchorFile([anchor], from, until));
    expect(qualified("2025-12-31T23:59:59Z", "2026-11-15T12:00:01Z")).to.equal("accepted");
    expect(qualified("2026-11-15T12:00:01Z", null)).to.equal("chain_untrusted");
    expect(qualified("2020-01-01T00:00:00Z", "2026-11-15T12:00:00Z")).to.equal("chain_untrusted");
    expect(qualified("2026-01-01T00:00:00Z", null)).to.equal("accepted");
    expect(qualified("2026-01-01T00:00:01Z", null)).to.equal("chain_untrusted");
  });

  it("is accepted as the second of two if the first has expired", () => {
    const old = issue(authorityPlan("Level 0", { notAfter: utcTime("260601000000Z") }));
    const renewed = issue(authorityPlan("Level 0"));
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([old, renewed])) });
    expect(verifier.verify(present(issue(qwacPlan(), renewed).der), now).country).to.equal("CZ");
  });

  it("is refused with more than eight intermediates", () => {
    const strays = Array.from({ length: 9 }, (_, at) => issue(authorityPlan(`Stray ${at}`)));
    const root = issue(authorityPlan("Level 0"));
    const verifierOf = () => createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile([root])) });
    const leaf = issue(qwacPlan(), root).der;
    const outcomeWith = (count: number) =>
      refusalOf(() => verifierOf().verify(present(leaf, strays.slice(0, count)), now));
    expect([outcomeWith(8), outcomeWith(9)]).to.deep.equal(["accepted", "chain_untrusted"]);
  });

  it("is searched for in bounded time if authorities have signed one another in every way", () => {
    const shared = keyOf("P-256", "shared");
    const twins = Array.from({ length: 8 }, (_, at) =>
      issue(
        authorityPlan("Twin", {
          key: shared,
          notAfter: utcTime(`4001010000${String(at).padStart(2, "0")}Z`),
        }),
      ),
    );
    const verifier = createCertificateVerifier({ anchors: parseTrustAnchors(anchorFile(row({}))) });
    const before = process.cpuUsage().user;
    const presented = present(issue(qwacPlan(), twins[0]).der, twins);
    expect(refusalOf(() => verifier.verify(presented, now))).to.equal("chain_untrusted");
    expect(process.cpuUsage().user - before).to.be.below(1_000_000);
  });

  it("is not searched for with a stranger's keys, who would choose the slowest", () => {
    const key = keyOf("P-521", "stranger");
    const twins = Array.from({ length: 8 }, (_, at) =>
      issue(
        authorityPlan("Stranger", { key, notAfter: utcTime(`4001010000${String(at).padStart(2, "0")}Z`) }),
      ),
    );
    const [anchor] = row({});
    const anchors = parseTrustAnchors(anchorFile(anchor === undefined ? [] : [anchor]));
    const presented = present(issue(qwacPlan(), twins[0]).der, twins);
    const [{ der } = { der: Buffer.alloc(0) }] = twins;
    const one = new X509Certificate(der);
    const oneSignature = leastTime(() => expect(one.verify(createPublicKey(key))).to.equal(true));
    const search = leastTime(() =>
      expect(refusalOf(() => createCertificateVerifier({ anchors }).verify(presented, now))).to.equal(
        "chain_untrusted",
      ),
    );
    // Every pair of them would be sixty-four.
    expect(search / oneSignature).to.be.below(24);
  });
});

/**
 * Microseconds of the processor and not of the wall, because what takes longer is oftener kept waiting by others on this machine;
 * of five attempts, because a collection of garbage may fall into any of them.
 */
function leastTime(act: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}
