import { createTppVerification, parseTrustAnchors } from "@cobs/psd2-certificates";
import { expect } from "chai";
import { readRevocationSources } from "../../../packages/psd2-certificates/src/revocation/revocation-sources.ts";
import { readCertificate } from "../../../packages/psd2-certificates/src/x509/read-certificate.ts";
import { derElement, derOid, derSequence } from "../../../packages/sandbox/src/certificates/der.ts";
import { anchorFile, extension, type Issued, now, present } from "../certificate-builder.ts";
import {
  authorityOf,
  crlUrl,
  listOf,
  ocspUrl,
  responderOf,
  revocationWorld,
  sourcesAt,
  tppUnder,
} from "./revocation-world.ts";

const issuing = authorityOf("Issuing CA");

/** What is read out of a certificate, as texts. */
function namesOf({ der }: Issued) {
  const { ocsp, crl } = readRevocationSources(readCertificate(der));
  return { ocsp: ocsp.map(({ href }) => href), crl: crl.map(({ url }) => url.href) };
}

describe("The revocation sources in a certificate", () => {
  it("are its OCSP responders (RFC 5280 4.2.2.1) and its CRLs (4.2.1.13), in their order", () => {
    const ocsp = ["http://b.test/", "https://a.test/ocsp"];
    const crl = ["http://d.test/1.crl", "http://c.test/2.crl?x=1"];
    expect(namesOf(tppUnder(issuing, sourcesAt(ocsp, crl)))).to.deep.equal({ ocsp, crl });
  });

  it("are limited to four of each", () => {
    const urls = Array.from({ length: 9 }, (_, at) => `http://${at}.test/`);
    expect(namesOf(tppUnder(issuing, sourcesAt(urls, urls)))).to.deep.equal({
      ocsp: urls.slice(0, 4),
      crl: urls.slice(0, 4),
    });
  });

  it("must be http or https URLs without credentials, of at most 1024 characters", () => {
    const urls = [
      "ldap://a.test/cn=crl",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "ftp://a.test/",
      "http://user:pass@a.test/",
      "http://user@a.test/",
      "http://:pass@a.test/",
      "http://",
      "a.test",
      `http://a.test/${"x".repeat(1024)}`,
    ];
    expect(namesOf(tppUnder(issuing, sourcesAt(urls, urls)))).to.deep.equal({ ocsp: [], crl: [] });
    const longest = `http://a.test/${"x".repeat(1024 - "http://a.test/".length)}`;
    expect(namesOf(tppUnder(issuing, sourcesAt([longest], [`${longest}x`])))).to.deep.equal({
      ocsp: [longest],
      crl: [],
    });
  });

  it("include a distribution point that also names a directory, not one for some reasons only (RFC 5280 4.2.1.13)", () => {
    const directory = derElement(0xa4, issuing.name);
    const uri = derElement(0x86, Buffer.from(crlUrl));
    const place = derElement(0xa0, derElement(0xa0, directory, uri));
    const ofSomeReasons = derSequence(place, derElement(0x81, Buffer.from([1, 6])));
    const pointsOf = (...points: readonly Uint8Array[]) =>
      namesOf(
        tppUnder(issuing, [extension({ oid: "2.5.29.31", critical: false, value: derSequence(...points) })]),
      );
    expect(pointsOf(derSequence(place))).to.deep.equal({ ocsp: [], crl: [crlUrl] });
    expect(pointsOf(ofSomeReasons)).to.deep.equal({ ocsp: [], crl: [] });
  });

  it("include a distribution point beside one that only names a CRL issuer (RFC 5280 4.2.1.13)", () => {
    const ofAnother = derSequence(derElement(0xa2, derElement(0xa4, issuing.name)));
    const whole = derSequence(derElement(0xa0, derElement(0xa0, derElement(0x86, Buffer.from(crlUrl)))));
    const value = derSequence(ofAnother, whole);
    const points = extension({ oid: "2.5.29.31", critical: false, value });
    expect(namesOf(tppUnder(issuing, [points]))).to.deep.equal({ ocsp: [], crl: [crlUrl] });
  });

  it("are empty if unreadable, so that the certificate is refused and nobody is asked", async () => {
    const [access = Buffer.alloc(0), points = Buffer.alloc(0)] = ["1.3.6.1.5.5.7.1.1", "2.5.29.31"].map(
      (oid) => extension({ oid, critical: false, value: derSequence(derOid("1.2.3")) }),
    );
    expect(namesOf(tppUnder(issuing, [access, points]))).to.deep.equal({ ocsp: [], crl: [] });
    const world = revocationWorld();
    expect(await world.call(tppUnder(issuing, [access]))).to.equal("revocation_source_missing");
    expect(world.questions).to.be.empty;
  });

  it("do not include other access methods", () => {
    const caIssuers = derSequence(
      derOid("1.3.6.1.5.5.7.48.2"),
      derElement(0x86, Buffer.from("http://a.test/ca.cer", "latin1")),
    );
    const access = extension({ oid: "1.3.6.1.5.5.7.1.1", critical: false, value: derSequence(caIssuers) });
    expect(namesOf(tppUnder(issuing, [access]))).to.deep.equal({ ocsp: [], crl: [] });
  });
});

describe("A certificate without a revocation source", () => {
  it("is refused without a question to anybody", async () => {
    const world = revocationWorld();
    expect(await world.call(tppUnder(issuing, []))).to.equal("revocation_source_missing");
    expect(world.questions).to.be.empty;
  });

  it("is refused also if it belongs to an authority between the TPP and the anchor", async () => {
    const root = authorityOf("Root");
    const between = authorityOf("Between", root);
    const world = revocationWorld({ anchors: [root] });
    expect(await world.call(tppUnder(between), "certain", [between])).to.equal("revocation_source_missing");
    expect(world.questions).to.be.empty;
  });

  it("is accepted by a verifier that does not check revocation", async () => {
    const verification = createTppVerification({
      anchors: parseTrustAnchors(anchorFile([issuing])),
      revocation: undefined,
    });
    const tpp = await verification.identify(present(tppUnder(issuing, []).der), now, "certain");
    expect(tpp.organisationIdentifier).to.equal("PSDCZ-CNB-63492555");
  });
});

describe("Authorities between a TPP and its anchor", () => {
  const root = authorityOf("Root");
  const between = authorityOf("Between", root, {
    extensions: sourcesAt(["http://root.test/"], ["http://root.test/list.crl"]),
    serial: derElement(0x02, Buffer.from([0x2a])),
  });
  const tpp = tppUnder(between);
  const worldOf = () => {
    const world = revocationWorld({ anchors: [root] });
    world.sources.set(ocspUrl, responderOf(between));
    return world;
  };

  it("are checked as the TPP is, each at its own authority", async () => {
    const world = worldOf();
    world.sources.set("http://root.test/", responderOf(root));
    expect(await world.call(tpp, "certain", [between])).to.equal("accepted");
    expect([world.asked(ocspUrl), world.asked("http://root.test/")]).to.deep.equal([1, 1]);
  });

  it("make everybody below refused when revoked, even those who cannot be checked", async () => {
    const world = worldOf();
    const revokedAt = new Date("2026-11-01T00:00:00Z");
    world.sources.set("http://root.test/list.crl", () =>
      listOf(root, { revoked: [{ serialNumber: "2a", revokedAt, reason: "cACompromise" }] }),
    );
    expect(await world.call(tpp, "known", [between])).to.equal("certificate_revoked");
    world.sources.delete(ocspUrl);
    const another = tppUnder(between, undefined, { serial: derElement(0x02, Buffer.from([0x2b])) });
    expect(await world.call(another, "known", [between])).to.equal("certificate_revoked");
  });

  it("leave the call without a certain answer if nobody knows them", async () => {
    const world = worldOf();
    expect(await world.call(tpp, "certain", [between])).to.equal("unavailable");
  });

  it("may be on a CRL for authorities only (RFC 5280 5.2.5)", async () => {
    for (const [tag, outcome] of [
      [0x82, "accepted"],
      [0x81, "unavailable"],
    ] as const) {
      const world = worldOf();
      const value = derSequence(derElement(tag, Buffer.from([0xff])));
      const extensions = [{ oid: "2.5.29.28", critical: true, value }];
      world.sources.set("http://root.test/list.crl", () => listOf(root, { extensions }));
      expect(await world.call(tpp, "certain", [between])).to.equal(outcome);
    }
  });

  it("are not checked if they are anchors themselves", async () => {
    const world = revocationWorld({ anchors: [root, between] });
    world.sources.set(ocspUrl, responderOf(between));
    expect(await world.call(tpp, "certain", [between])).to.equal("accepted");
    const asked = new Set(world.questions.map(({ url }) => url.href));
    expect([...asked]).to.deep.equal([ocspUrl, crlUrl]);
  });
});
