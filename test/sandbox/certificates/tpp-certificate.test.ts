import "reflect-metadata";
import { X509Certificate } from "node:crypto";
import * as peculiar from "@peculiar/x509";
import { expect } from "chai";
import {
  readTppProfile,
  readTppProfiles,
} from "../../../packages/sandbox/src/certificates/read-tpp-profiles.ts";
import { createTestCa, type TestCa } from "../../../packages/sandbox/src/certificates/test-ca.ts";
import {
  describeTppCertificate,
  issueTppCertificate,
} from "../../../packages/sandbox/src/certificates/tpp-certificate.ts";
import type { TppProfile } from "../../../packages/sandbox/src/certificates/tpp-profile.ts";

const now = new Date("2026-03-01T12:00:00Z");
const qcStatementsOid = "1.3.6.1.5.5.7.1.3";
const clientAuthOid = "1.3.6.1.5.5.7.3.2";

describe("TPP certificates of the sandbox", () => {
  let ca: TestCa;
  let profiles: readonly TppProfile[];

  before(async () => {
    ca = await createTestCa(now);
    profiles = await readTppProfiles();
  });

  it("carry the organisation as UTF-8 and its identifier under 2.5.4.97 (ETSI TS 119 495 GEN-5.2.1-3)", async () => {
    const issued = await issueTppCertificate(ca, await readTppProfile("aisp"), { now });
    const name = new peculiar.X509Certificate(issued.certificatePem).subjectName;
    expect(name.getField("2.5.4.97")).to.deep.equal(["PSDCZ-CNB-99000011"]);
    expect(name.getField("O")).to.deep.equal(["Žluťoučký účet, platební instituce s.r.o."]);
    const utf8 = Buffer.concat([Buffer.from("06035504610c12", "hex"), Buffer.from("PSDCZ-CNB-99000011")]);
    expect(new X509Certificate(issued.certificatePem).raw.includes(utf8)).to.equal(true);
  });

  it("encode countries as PrintableString, as do their CAs (RFC 5280 appendix A.1, X520countryName)", async () => {
    const country = Buffer.concat([
      Buffer.from("0603550406", "hex"),
      Buffer.from("1302", "hex"),
      Buffer.from("CZ"),
    ]);
    const issued = await issueTppCertificate(ca, await readTppProfile("aisp"), { now });
    for (const pem of [issued, ca.qtspIssuing, ca.web, ca.private].map(
      ({ certificatePem }) => certificatePem,
    )) {
      const { raw } = new X509Certificate(pem);
      expect(raw.toString("latin1").split(country.toString("latin1")), pem).to.have.lengthOf(3);
    }
  });

  it("carry the QC statements in a non-critical extension (ETSI TS 119 495 5.1)", async () => {
    const issued = await issueTppCertificate(ca, await readTppProfile("aisp"), { now });
    const extension = new peculiar.X509Certificate(issued.certificatePem).getExtension(qcStatementsOid);
    expect(extension?.critical).to.equal(false);
    expect(Buffer.from(extension?.value ?? new ArrayBuffer(0)).includes("PSP_AI")).to.equal(true);
  });

  it("are sent with the issuing CA after them, and without the root", async () => {
    const issued = await issueTppCertificate(ca, await readTppProfile("aisp"), { now });
    expect(issued.chainPem).to.equal(issued.certificatePem + ca.qtspIssuing.certificatePem);
  });

  it("differ, if wrong, from a right one in a single place", () => {
    for (const profile of profiles.filter(({ wrong }) => wrong !== null)) {
      const differences = profiles
        .filter(({ wrong }) => wrong === null)
        .map((right) => differingMembers(profile, right));
      const fewest = Math.min(...differences.map((members) => members.length));
      expect(fewest, profile.name).to.equal(profile.name === "wrong-no-psd2-statement" ? 2 : 1);
    }
  });

  it("are issued for an unknown CA under the name of the known one, with another key", async () => {
    const issued = await issueTppCertificate(ca, await readTppProfile("wrong-unknown-ca"), { now });
    const certificate = new X509Certificate(issued.certificatePem);
    const known = new X509Certificate(ca.qtspIssuing.certificatePem);
    expect(certificate.issuer).to.equal(known.subject);
    expect(certificate.verify(known.publicKey)).to.equal(false);
    expect(certificate.verify(new X509Certificate(ca.unknownIssuing.certificatePem).publicKey)).to.equal(
      true,
    );
  });

  it("lack clientAuth only where the profile says so (RFC 5280 4.2.1.12)", async () => {
    for (const profile of profiles) {
      const issued = await issueTppCertificate(ca, profile, { now });
      const purposes = new X509Certificate(issued.certificatePem).keyUsage;
      expect(purposes.includes(clientAuthOid), profile.name).to.equal(
        profile.name !== "wrong-no-client-purpose",
      );
    }
  });

  it("renew with another key and serial number for the same organisation identifier", async () => {
    const [first, renewed] = await Promise.all(
      ["all-roles", "all-roles-renewed"].map(async (name) => {
        const profile = await readTppProfile(name);
        const { certificatePem } = await issueTppCertificate(ca, profile, { now });
        const { serialNumber, publicKey, validTo } = new X509Certificate(certificatePem);
        const key = publicKey.export({ type: "spki", format: "pem" });
        return { organisation: profile.organisation, roles: profile.roles, serialNumber, key, validTo };
      }),
    );
    expect(renewed?.organisation).to.deep.equal(first?.organisation);
    expect(renewed?.roles).to.deep.equal(first?.roles);
    expect(renewed?.serialNumber).not.to.equal(first?.serialNumber);
    expect(renewed?.key).not.to.equal(first?.key);
    expect(renewed?.validTo).not.to.equal(first?.validTo);
  });

  it("say nothing of PSD2 when the profile has no authority", async () => {
    const { extensions } = describeTppCertificate(await readTppProfile("wrong-no-psd2-statement"), now);
    const statements = extensions.find(({ oid }) => oid === qcStatementsOid);
    expect(Buffer.from(statements?.value ?? []).includes(Buffer.from("040081982702", "hex"))).to.equal(false);
    expect(statements?.value).to.have.length.greaterThan(20);
  });
});

function differingMembers(one: TppProfile, other: TppProfile): readonly string[] {
  const told = ["name", "description", "wrong", "expectedRefusal"];
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one)
    .filter(([member]) => !told.includes(member))
    .filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(others.get(member)))
    .map(([member]) => member);
}
