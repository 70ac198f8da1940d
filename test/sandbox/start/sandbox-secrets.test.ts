import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { importJWK } from "jose";
import { keepPsuCredentials, readablePassword } from "../../../packages/sandbox/src/start/psu-credentials.ts";
import { type SandboxLayout, sandboxLayout } from "../../../packages/sandbox/src/start/sandbox-layout.ts";
import {
  keepDatabasePasswords,
  keepServiceKeys,
} from "../../../packages/sandbox/src/start/sandbox-secrets.ts";

describe("the secrets of a sandbox", () => {
  let folder: string;
  let layout: SandboxLayout;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "secrets-test-"));
    layout = sandboxLayout(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("are made once, for the owner's eyes only, and kept", async () => {
    const files = [layout.signingKeys, layout.cookieKeys, layout.sealingKey];
    await keepServiceKeys(layout);
    const first = await Promise.all(files.map((file) => readFile(file, "utf8")));
    await keepServiceKeys(layout);
    expect(await Promise.all(files.map((file) => readFile(file, "utf8")))).to.deep.equal(first);
    for (const file of files) expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it("hold a private ES256 key with a name, as auth signs with (RFC 7518 3.4)", async () => {
    await keepServiceKeys(layout);
    const { keys } = JSON.parse(await readFile(layout.signingKeys, "utf8"));
    expect(keys).to.have.lengthOf(1);
    expect(keys[0]).to.include({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    expect(keys[0].kid).to.be.a("string");
    expect(await importJWK(keys[0])).to.include({ type: "private" });
  });

  it("hold 32 bytes to seal with, and another password for each database", async () => {
    await keepServiceKeys(layout);
    const sealingKey = Buffer.from(await readFile(layout.sealingKey, "utf8"), "base64url");
    const passwords = await keepDatabasePasswords(layout);
    expect(sealingKey).to.have.lengthOf(32);
    expect(passwords.auth).to.not.equal(passwords.resource);
    expect(await keepDatabasePasswords(layout)).to.deep.equal(passwords);
  });

  it("give a PSU who joins later credentials, and leave those of the others", async () => {
    const before = await keepPsuCredentials(layout.psuCredentials, ["jana"]);
    const after = await keepPsuCredentials(layout.psuCredentials, ["jana", "petr"]);
    expect(after.get("jana")).to.deep.equal(before.get("jana"));
    expect(after.get("petr")?.totpSecret).to.match(/^[A-Z2-7]{32}$/);
  });

  it("have passwords that can be read aloud and are never the same", () => {
    const passwords = new Set(Array.from({ length: 100 }, readablePassword));
    expect(passwords.size).to.equal(100);
    for (const password of passwords) expect(password).to.match(/^([a-z]{6}-){2}[a-z]{6}$/);
  });
});
