import { createPrivateKey, X509Certificate } from "node:crypto";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import { expect } from "chai";
import {
  type SandboxCertificates,
  writeSandboxCertificates,
} from "../../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { daysAround } from "../../../packages/sandbox/src/certificates/validity.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = (days: number) => daysAround(now, { fromDays: days, untilDays: days }).notBefore;
const readCertificate = async (file: string) => new X509Certificate(await readFile(file, "utf8"));

function everyKeyPair({ server, bank, callback, tpp }: SandboxCertificates): readonly KeyPairFiles[] {
  return [...Object.values(server), ...Object.values(bank), callback, ...tpp];
}

async function thumbprintOf(certificates: SandboxCertificates, name: string): Promise<string | undefined> {
  return certificates.tpp.find((candidate) => candidate.name === name)?.thumbprint;
}

/** Every file of a folder with its content. */
async function contentsOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, "utf8")] as const)),
  );
}

describe("Certificates of a sandbox", () => {
  let first: string;
  let parent: string;
  let directory: string;
  let made: SandboxCertificates;

  before(async () => {
    first = await mkdtemp(join(tmpdir(), "certificates-"));
    await writeSandboxCertificates(join(first, "certificates"), now);
  });

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "certificates-"));
    directory = join(parent, "certificates");
    await cp(join(first, "certificates"), directory, { recursive: true });
    made = await writeSandboxCertificates(directory, now);
  });

  afterEach(() => rm(parent, { recursive: true }));
  after(() => rm(first, { recursive: true }));

  it("are in the files returned, each with its own key", async () => {
    for (const { certificateFile, keyFile } of everyKeyPair(made)) {
      const key = createPrivateKey(await readFile(keyFile, "utf8"));
      expect((await readCertificate(certificateFile)).checkPrivateKey(key), certificateFile).to.equal(true);
    }
    expect(everyKeyPair(made)).to.have.length(8 + 15);
  });

  it("hide keys and folders from everybody but their owner", async () => {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      if (entry.isDirectory()) expect(mode & 0o777, entry.name).to.equal(0o700);
      if (entry.name.endsWith(".key")) expect(mode & 0o777, entry.name).to.equal(0o600);
    }
    expect((await stat(directory)).mode & 0o777).to.equal(0o700);
  });

  it("leave no unfinished files behind", async () => {
    expect(await readdir(first)).to.deep.equal(["certificates"]);
    const files = Object.keys(await contentsOf(first));
    expect(files.filter((file) => file.endsWith(".new"))).to.deep.equal([]);
  });

  it("put the servers under the web CA, with the names of loopback", async () => {
    const web = await readCertificate(made.caFile);
    for (const { certificateFile } of [made.server.auth, made.server.resource, made.callback]) {
      const certificate = await readCertificate(certificateFile);
      expect(certificate.verify(web.publicKey), certificateFile).to.equal(true);
      expect(certificate.checkHost("localhost")).to.equal("localhost");
      expect(certificate.checkIP("127.0.0.1")).to.equal("127.0.0.1");
      expect(certificate.checkIP("::1")).to.equal("::1");
      expect(certificate.keyUsage).to.deep.equal(["1.3.6.1.5.5.7.3.1"]);
    }
  });

  it("put the bank's own under the private CA, callers by name and for clients only", async () => {
    const authority = await readCertificate(made.privateCaFile);
    for (const [caller, { certificateFile }] of Object.entries(made.bank)) {
      const certificate = await readCertificate(certificateFile);
      expect(certificate.verify(authority.publicKey), caller).to.equal(true);
      expect(certificate.subject).to.equal(`CN=${caller}`);
      expect(certificate.keyUsage).to.deep.equal(["1.3.6.1.5.5.7.3.2"]);
    }
    for (const { certificateFile } of [made.server.authBank, made.server.resourceBank]) {
      const certificate = await readCertificate(certificateFile);
      expect(certificate.verify(authority.publicKey), certificateFile).to.equal(true);
      expect(certificate.keyUsage).to.deep.equal(["1.3.6.1.5.5.7.3.1"]);
    }
  });

  it("name root and issuing CA as anchors of the environment sandbox", async () => {
    const { environment, version, anchors } = JSON.parse(await readFile(made.anchorsFile, "utf8"));
    expect([environment, version]).to.deep.equal(["sandbox", 1]);
    const subjects = anchors.map(
      ({ certificate }: { certificate: string }) => new X509Certificate(certificate).subject,
    );
    expect(subjects.map((subject: string) => subject.split("CN=")[1])).to.deep.equal([
      "COBS Sandbox QTSP Root",
      "COBS Sandbox QTSP Issuing CA",
    ]);
    expect(new Date(anchors[0].from) < later(-400) && new Date(anchors[0].until) > later(3650)).to.equal(
      true,
    );
  });

  it("keep the three hierarchies apart", async () => {
    const { anchors } = JSON.parse(await readFile(made.anchorsFile, "utf8"));
    const authorities = [
      await readCertificate(made.caFile),
      await readCertificate(made.privateCaFile),
      ...anchors.map(({ certificate }: { certificate: string }) => new X509Certificate(certificate)),
    ];
    for (const { certificateFile } of everyKeyPair(made)) {
      const certificate = await readCertificate(certificateFile);
      const signers = authorities.filter((authority) => certificate.verify(authority.publicKey));
      expect(signers.length, certificateFile).to.equal(certificateFile.includes("unknown-ca") ? 0 : 1);
    }
  });

  it("come with what a program needs to know of each TPP certificate", () => {
    const { certificateFile, keyFile, thumbprint, ...told } =
      made.tpp.find(({ name }) => name === "wrong-qsealc") ?? {};
    expect(told).to.deep.equal({
      name: "wrong-qsealc",
      description: "The seal certificate of the first TPP, used for TLS",
      organisationIdentifier: "PSDCZ-CNB-99000011",
      organisationName: "Žluťoučký účet, platební instituce s.r.o.",
      roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
      wrong: "It is a QSealC: its QcType is eseal, not web.",
      expectedRefusal: "qc_type_not_web",
    });
    expect(certificateFile).to.equal(join(directory, "tpp/wrong-qsealc.pem"));
    expect(keyFile).to.equal(join(directory, "tpp/wrong-qsealc.key"));
    expect(thumbprint).to.match(/^[\w-]{43}$/);
  });

  it("are read unchanged by a second start", async () => {
    expect(await writeSandboxCertificates(directory, later(100))).to.deep.equal(made);
    const before = Object.values(await contentsOf(first)).sort();
    expect(Object.values(await contentsOf(directory)).sort()).to.deep.equal(before);
  });

  it("renew the servers' certificates a month before their end, and no others", async () => {
    const server = await readFile(made.server.auth.certificateFile, "utf8");
    const again = await writeSandboxCertificates(directory, later(380));
    const renewed = await readCertificate(made.server.auth.certificateFile);
    expect(renewed.toString()).not.to.equal(server);
    expect(new Date(renewed.validTo) > later(700)).to.equal(true);
    expect(renewed.verify((await readCertificate(made.caFile)).publicKey)).to.equal(true);
    expect(await thumbprintOf(again, "aisp")).to.equal(await thumbprintOf(made, "aisp"));
  });

  it("keep each profile's meaning for years: right ones valid, the late and the early one wrong", async () => {
    const years = later(1000);
    for (const { name, certificateFile } of (await writeSandboxCertificates(directory, years)).tpp) {
      const { validFrom, validTo } = await readCertificate(certificateFile);
      const phase = years < new Date(validFrom) ? "early" : years > new Date(validTo) ? "late" : "valid";
      const meant = { "wrong-expired": "late", "wrong-not-yet-valid": "early" }[name] ?? "valid";
      expect(phase, name).to.equal(meant);
    }
  });

  it("are reissued when missing, damaged, or with the key of another", async () => {
    const [missing, damaged, swapped, other] = made.tpp;
    if (!missing || !damaged || !swapped || !other) throw new Error("four certificates are needed");
    await rm(missing.keyFile);
    await writeFile(damaged.certificateFile, "-----BEGIN CERTIFICATE-----\n");
    await copyFile(other.keyFile, swapped.keyFile);
    const again = await writeSandboxCertificates(directory, now);
    for (const { name, certificateFile, keyFile } of [missing, damaged, swapped]) {
      const key = createPrivateKey(await readFile(keyFile, "utf8"));
      expect((await readCertificate(certificateFile)).checkPrivateKey(key), name).to.equal(true);
      expect(await thumbprintOf(again, name), name).not.to.equal(await thumbprintOf(made, name));
    }
    expect(await thumbprintOf(again, other.name)).to.equal(other.thumbprint);
  });

  it("start over when a first start was killed halfway", async () => {
    const elsewhere = join(parent, "elsewhere");
    await mkdir(`${elsewhere}.new/tpp`, { recursive: true });
    await writeFile(`${elsewhere}.new/tpp/half.pem`, "half");
    await writeSandboxCertificates(elsewhere, now);
    expect((await readdir(parent)).sort()).to.deep.equal(["certificates", "elsewhere"]);
    expect(await readdir(join(elsewhere, "tpp"))).not.to.include("half.pem");
  });

  it("rewrite anchors of an older form, but keep those that a person has changed", async () => {
    const written = await readFile(made.anchorsFile, "utf8");
    await writeFile(made.anchorsFile, written.replace('"revision": 1,', ""));
    await writeSandboxCertificates(directory, now);
    expect(await readFile(made.anchorsFile, "utf8")).to.equal(written);
    const changed = written.replace('"revision": 1,', '"revision": 2,');
    await writeFile(made.anchorsFile, changed);
    await writeSandboxCertificates(directory, now);
    expect(await readFile(made.anchorsFile, "utf8")).to.equal(changed);
  });

  it("of TPPs, and no others, are reissued for a responder on another port (RFC 6960 3.1)", async () => {
    const sources = (port: number) => ({ ocsp: `http://localhost:${port}/ocsp`, crl: undefined });
    const named = await writeSandboxCertificates(directory, now, sources(8447));
    expect((await readCertificate(named.tpp[0]?.certificateFile ?? "")).infoAccess).to.include(":8447/ocsp");
    const again = await writeSandboxCertificates(directory, now, sources(8447));
    expect(await thumbprintOf(again, "aisp")).to.equal(await thumbprintOf(named, "aisp"));
    const moved = await writeSandboxCertificates(directory, now, sources(9447));
    expect(await thumbprintOf(moved, "aisp")).not.to.equal(await thumbprintOf(named, "aisp"));
    const server = await readFile(made.server.auth.certificateFile, "utf8");
    expect(await readFile(moved.server.auth.certificateFile, "utf8")).to.equal(server);
  });

  it("do not overwrite a folder of something else", async () => {
    const foreign = join(parent, "foreign");
    await mkdir(foreign);
    await writeFile(join(foreign, "letter.txt"), "mine");
    const refused = await writeSandboxCertificates(foreign, now).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).to.be.instanceOf(Error).with.property("code", "ENOTEMPTY");
    expect(await readFile(join(foreign, "letter.txt"), "utf8")).to.equal("mine");
  });
});
