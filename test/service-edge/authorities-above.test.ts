import { createPrivateKey, X509Certificate } from "node:crypto";
import { createMetrics } from "@cobs/service-edge";
import { expect } from "chai";
import { issueCertificate } from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import { signCertificate } from "../../packages/sandbox/src/certificates/sign-certificate.ts";
import {
  authorityExtensions,
  authorityName,
  createTestCa,
  issueAuthority,
  type TestCa,
} from "../../packages/sandbox/src/certificates/test-ca.ts";
import { daysAround } from "../../packages/sandbox/src/certificates/validity.ts";
import { createOwnCertificateMetrics } from "../../packages/service-edge/src/metrics/own-certificate-metrics.ts";
import { findAuthoritiesAbove } from "../../packages/service-edge/src/tls/authorities-above.ts";
import { readableLog } from "../support/readable-log.ts";

const NAME = "COBS Sandbox Private CA";
const read = (pem: string) => new X509Certificate(pem);

describe("Authorities found above a certificate", () => {
  const now = new Date();
  let ca: TestCa;
  before(async () => {
    ca = await createTestCa(now);
  });

  const issueUnder = (issuer: TestCa["private"]) =>
    issueCertificate(issuer, {
      subject: authorityName("auth"),
      validity: daysAround(now, { fromDays: -1, untilDays: 200 }),
      extensions: [],
    });

  /** Another certificate of an authority's key and name. */
  function again({ privateKeyPem }: TestCa["private"], untilDays: number, fromDays = -900): X509Certificate {
    const validity = daysAround(now, { fromDays, untilDays });
    const described = { subject: authorityName(NAME), validity, extensions: authorityExtensions };
    return new X509Certificate(signCertificate(undefined, described, createPrivateKey(privateKeyPem)));
  }

  /** A certificate of an authority by another one. */
  function certify(issuer: TestCa["private"], { privateKeyPem }: TestCa["private"], commonName: string) {
    const validity = daysAround(now, { fromDays: -900, untilDays: 900 });
    const described = { subject: authorityName(commonName), validity, extensions: authorityExtensions };
    return new X509Certificate(signCertificate(issuer, described, createPrivateKey(privateKeyPem)));
  }

  it("include, of several certificates of one key, the one that ends last, in whatever order they come", async () => {
    const own = read((await issueUnder(ca.private)).certificatePem);
    const [former, lasting] = [again(ca.private, -1), again(ca.private, 900)];
    expect(findAuthoritiesAbove([own], [former, lasting])).to.deep.equal([lasting]);
    expect(findAuthoritiesAbove([own], [lasting, former])).to.deep.equal([lasting]);
    expect(findAuthoritiesAbove([own], [former])).to.deep.equal([former]);
  });

  it("include a certificate that is valid now rather than a later one that is not yet valid", async () => {
    const own = read((await issueUnder(ca.private)).certificatePem);
    const [present, renewal] = [again(ca.private, 30), again(ca.private, 900, 20)];
    expect(findAuthoritiesAbove([own], [renewal, present])).to.deep.equal([present]);
  });

  it("are found without delay among many that have certified each other, each of them once", async () => {
    const names = Array.from({ length: 8 }, (_, place) => `mutual-${place}`);
    const mutual = await Promise.all(
      names.map((commonName) => issueAuthority(ca.private, { commonName }, now)),
    );
    const crossed = mutual.flatMap((issuer) =>
      mutual
        .map((subject, place) => ({ subject, name: names[place] ?? "" }))
        .filter(({ subject }) => subject !== issuer)
        .map(({ subject, name }) => certify(issuer, subject, name)),
    );
    const own = read((await issueUnder(mutual[0] ?? ca.private)).certificatePem);
    expect(findAuthoritiesAbove([own], crossed)).to.equal(undefined);
    const root = read(ca.private.certificatePem);
    const above = findAuthoritiesAbove([own], [...crossed, read(mutual[7]?.certificatePem ?? ""), root]);
    expect(above?.map(({ subject }) => subject.split("CN=")[1])).to.deep.equal([
      "mutual-0",
      "mutual-7",
      NAME,
    ]);
  });

  it("are followed up to the root, also through an intermediate that is sent with the certificate", async () => {
    const between = await issueAuthority(ca.private, { commonName: "between" }, now);
    const [own, root] = [read((await issueUnder(between)).certificatePem), read(ca.private.certificatePem)];
    const shown = read(between.certificatePem);
    expect(findAuthoritiesAbove([own, shown], [root])).to.deep.equal([root]);
    expect(findAuthoritiesAbove([own], [root, shown])).to.deep.equal([shown, root]);
    expect(findAuthoritiesAbove([own], [root])).to.equal(undefined);
  });

  it("are none when an authority matches by name alone", async () => {
    const other = await createTestCa(now);
    const own = read((await issueUnder(ca.private)).certificatePem);
    expect(findAuthoritiesAbove([own], [read(other.private.certificatePem)])).to.equal(undefined);
  });

  for (const [what, untilDays, level, msg] of [
    ["has ended", -1, 50, "this service presents a certificate that others refuse"],
    ["ends before it", 4, 40, "this service presents a certificate that others will soon refuse"],
  ] as const) {
    it(`are logged when one of them ${what}, and its end is in the metrics`, async () => {
      const { log, lines } = readableLog();
      const metrics = createMetrics("test");
      const authority = again(ca.private, untilDays);
      const { certificatePem } = await issueUnder(ca.private);
      createOwnCertificateMetrics(metrics, log)("bank", authority.toString())(certificatePem);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include({ level, certificate: "bank", msg });
      expect(lines[0]?.detail).to.match(/^its authority in BANK_AUTHORITY_FILE is valid \S+/);
      expect(await metrics.registry.metrics()).to.match(
        new RegExp(`^own_certificate_end_timestamp_seconds.* ${Date.parse(authority.validTo) / 1000}$`, "m"),
      );
    });
  }
});
