import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openRevokedCertificates } from "../../../packages/sandbox/src/revocation/revoked-certificates.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const first = new Date("2026-03-01T12:00:00Z");
const later = new Date("2026-03-02T12:00:00Z");

describe("Revoked certificates of a test CA", () => {
  const { path } = temporaryFolder();
  const revoked = openRevokedCertificates(path);
  after(() => rmSync(path, { recursive: true, force: true }));

  it("are none at first", async () => {
    expect(await revoked.list()).to.deep.equal([]);
  });

  it("keep the time of the first revocation when the reason changes", async () => {
    await revoked.revoke("4A0B", "certificateHold", first);
    await revoked.revoke("4A0B", "keyCompromise", later);
    expect(await revoked.list()).to.deep.equal([
      { serialNumber: "4A0B", revokedAt: first, reason: "keyCompromise" },
    ]);
  });

  it("can be reinstated, once", async () => {
    expect(await revoked.release("4A0B")).to.equal(true);
    expect(await revoked.release("4A0B")).to.equal(false);
    expect(await revoked.list()).to.deep.equal([]);
  });

  it("are all kept when commands revoke and reinstate at the same time", async () => {
    const serials = ["01", "02", "03", "04", "05"];
    await revoked.revoke("00", "superseded", first);
    await Promise.all([
      revoked.release("00"),
      ...serials.map((serial) => openRevokedCertificates(path).revoke(serial, "superseded", first)),
    ]);
    const kept = (await revoked.list()).map(({ serialNumber }) => serialNumber);
    expect(kept).to.have.members(serials);
  });

  it("are not guessed when the file is malformed", async () => {
    const file = join(path, "revoked.json");
    const messageOfText = async (text: string) => {
      writeFileSync(file, text);
      return (await rejectionOf(revoked.list())).message;
    };
    const messageOf = (entry: object) => messageOfText(JSON.stringify([entry]));
    const right = { serialNumber: "4A0B", revokedAt: first, reason: "superseded" };
    expect(await messageOf({ ...right, reason: "because" })).to.include("reason must be one of");
    expect(await messageOf({ ...right, revokedAt: "once" })).to.include("revokedAt must be a time");
    for (const text of ["", "[{},]"]) expect(await messageOfText(text)).to.equal(`${file}: must be JSON`);
  });
});
