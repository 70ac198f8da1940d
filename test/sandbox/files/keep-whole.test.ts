import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { writeSandboxCertificates } from "../../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { flushFolder, keepWhole } from "../../../packages/sandbox/src/files/write-whole.ts";
import { clusterLayout } from "../../../packages/sandbox/src/postgres/cluster-layout.ts";
import { createCluster } from "../../../packages/sandbox/src/postgres/create-cluster.ts";
import { OURSELVES } from "../../../packages/sandbox/src/postgres/database-user.ts";
import { openRevokedCertificates } from "../../../packages/sandbox/src/revocation/revoked-certificates.ts";
import { keepPsuCredentials } from "../../../packages/sandbox/src/start/psu-credentials.ts";
import { keepFile } from "../../../packages/sandbox/src/start/sandbox-secrets.ts";
import { openTppMemory } from "../../../packages/sandbox/src/tpp/tpp-memory.ts";
import { KEPT_APPLICATION } from "../tpp/kept-application.ts";

/** What was flushed to the disk while an act went on: its path, and what `file` held at that time. */
async function flushesOf(act: () => Promise<unknown>, file: string): Promise<readonly [string, string][]> {
  const probe = await open("/dev/null");
  const prototype: { sync: typeof probe.sync } = Object.getPrototypeOf(probe);
  await probe.close();
  const { sync } = prototype;
  const flushes: [string, string][] = [];
  prototype.sync = async function record(this: typeof probe) {
    flushes.push([
      readlinkSync(`/proc/self/fd/${this.fd}`),
      existsSync(file) ? readFileSync(file, "utf8") : "",
    ]);
    return sync.call(this);
  };
  try {
    await act();
  } finally {
    prototype.sync = sync;
  }
  return flushes;
}

describe("Files that cannot be made again", function files() {
  this.timeout(60_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "keep-whole-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are flushed before they take their place, and their folder afterwards, against a power failure", async () => {
    const file = join(folder, "key");
    await keepWhole(file, "former", 0o600);
    const flushes = await flushesOf(() => keepWhole(file, "new", 0o600), file);
    expect(flushes).to.deep.equal([
      [`${file}.new`, "former"],
      [folder, "new"],
    ]);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it("do without that of their folder where the file system cannot flush folders, as in /proc", async () => {
    await flushFolder("/proc");
  });

  const acts: Readonly<Record<string, readonly [file: string, act: () => Promise<unknown>]>> = {
    "keys and passwords": ["secrets/key", () => keepFile(join(folder, "secrets/key"), () => "made")],
    "credentials of PSUs": ["psus", () => keepPsuCredentials(join(folder, "psus"), ["jana"])],
    "revocations of the test CA": [
      "revoked.json",
      () => openRevokedCertificates(folder).revoke("1A", "keyCompromise", new Date()),
    ],
    "applications of the TPP command line": [
      "tpp/applications.json",
      () => openTppMemory(folder, null).keep(KEPT_APPLICATION),
    ],
  };
  for (const [what, [name, act]] of Object.entries(acts))
    it(`include ${what}`, async () => {
      const file = join(folder, name);
      const flushed = (await flushesOf(act, file)).map(([path]) => path);
      expect(flushed).to.include.members([`${file}.new`, dirname(file)]);
    });

  it("include the folders that are made for them, from the innermost out", async () => {
    const file = join(folder, "sandbox/secrets/key");
    const flushed = (await flushesOf(() => keepFile(file, () => "made"), file)).map(([path]) => path);
    expect(flushed).to.deep.equal([join(folder, "sandbox"), folder, `${file}.new`, dirname(file)]);
    const beside = join(folder, "sandbox/secrets/beside");
    const again = (await flushesOf(() => keepFile(beside, () => "made"), beside)).map(([path]) => path);
    expect(again).to.deep.equal([`${beside}.new`, dirname(beside)]);
  });

  it("include the password of the embedded PostgreSQL, whose data are useless without it", async () => {
    const layout = clusterLayout(folder);

    const flushes = await flushesOf(() => createCluster(layout, OURSELVES, ["/bin/true"]), layout.password);
    expect(flushes[0]?.[0]).to.match(/\/cluster\.new-[^/]+\/superuser-password$/);
    expect(flushes.at(-1)).to.deep.equal([folder, readFileSync(layout.password, "utf8")]);
  });

  it("include the authorities of the test CA, which others trust, and the folder in which they appear", async () => {
    const certificates = join(folder, "certificates");
    const ca = join(certificates, "ca.pem");
    const flushes = await flushesOf(() => writeSandboxCertificates(certificates, new Date()), ca);
    const flushed = flushes.map(([path]) => path);
    for (const name of ["qtsp-root", "qtsp-issuing", "web", "private"])
      expect(flushed).to.include(`${certificates}.new/ca-keys/${name}.key.new`);
    expect(flushed.slice(-5, -1)).to.deep.equal([
      `${certificates}.new/private-ca.pem.new`,
      `${certificates}.new`,
      `${certificates}.new/ca.pem.new`,
      `${certificates}.new`,
    ]);
    expect(flushes.at(-1)).to.deep.equal([folder, readFileSync(ca, "utf8")]);
  });
});
