import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import {
  type SandboxLayout,
  sandboxLayout,
} from "../../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { keepPsuCredentials, readablePassword } from "../../../packages/sandbox/src/start/psu-credentials.ts";
import {
  keepDatabasePasswords,
  keepSealingKey,
} from "../../../packages/sandbox/src/start/sandbox-secrets.ts";

describe("Secrets of a sandbox", () => {
  let folder: string;
  let layout: SandboxLayout;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "secrets-test-"));
    layout = sandboxLayout(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are made once, readable only by the owner, and kept", async () => {
    await keepSealingKey(layout);
    const first = await readFile(layout.sealingKey, "utf8");
    await keepSealingKey(layout);
    expect(await readFile(layout.sealingKey, "utf8")).to.equal(first);
    expect((await stat(layout.sealingKey)).mode & 0o777).to.equal(0o600);
  });

  it("are never replaced when they exist but cannot be read", async () => {
    await mkdir(dirname(layout.sealingKey), { recursive: true });
    await symlink(layout.sealingKey, layout.sealingKey);
    const failure = await keepSealingKey(layout).catch((error: unknown) => error);
    expect(failure).to.include({ code: "ELOOP" });
    expect((await lstat(layout.sealingKey)).isSymbolicLink()).to.equal(true);
  });

  it("are 32 bytes for sealing, and a different password for each database", async () => {
    await keepSealingKey(layout);
    const sealingKey = Buffer.from(await readFile(layout.sealingKey, "utf8"), "base64url");
    const passwords = await keepDatabasePasswords(layout);
    expect(sealingKey).to.have.lengthOf(32);
    expect(passwords.auth).to.not.equal(passwords.resource);
    expect(await keepDatabasePasswords(layout)).to.deep.equal(passwords);
  });

  it("include credentials for a PSU added later, and keep those of the others", async () => {
    const before = await keepPsuCredentials(layout.psuCredentials, ["jana"]);
    const after = await keepPsuCredentials(layout.psuCredentials, ["jana", "petr"]);
    expect(after.get("jana")).to.deep.equal(before.get("jana"));
    expect(after.get("petr")?.totpSecret).to.match(/^[A-Z2-7]{32}$/);
  });

  it("include passwords that can be read aloud and are never the same", () => {
    const passwords = new Set(Array.from({ length: 100 }, readablePassword));
    expect(passwords.size).to.equal(100);
    for (const password of passwords) expect(password).to.match(/^([a-z]{6}-){2}[a-z]{6}$/);
  });
});
