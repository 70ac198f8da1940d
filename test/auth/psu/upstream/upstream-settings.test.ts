import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { inspect } from "node:util";
import { ConfigurationRefusal, readConfiguration } from "@cobs/service-edge";
import { expect } from "chai";
import { exportJWK, generateKeyPair } from "jose";
import { AUTH_VARIABLES } from "../../../../packages/auth/src/env.ts";
import { type PsuLoginSettings, readPsuLogin } from "../../../../packages/auth/src/psu-login-settings.ts";
import { configurationFaults } from "../../../support/configuration-faults.ts";
import { testCertificates } from "../../../support/test-certificates.ts";

describe("The settings of a sign-in at the bank's provider", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "upstream-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  let files = 0;
  function fileWith(text: string): string {
    files += 1;
    const file = join(folder, `file-${files}`);
    writeFileSync(file, text);
    return file;
  }

  const right = () => ({
    MODE: "production",
    PSU_LOGIN: "oidc",
    UPSTREAM_ISSUER: "https://login.bank.example/realms/psu",
    UPSTREAM_CLIENT_ID: "open-banking",
    UPSTREAM_CLIENT_SECRET_FILE: fileWith("a secret of enough characters\n"),
    UPSTREAM_ACR_VALUES: "urn:bank:sca  urn:bank:sca-2",
  });

  function read(environment: Readonly<Record<string, string>>): PsuLoginSettings {
    return readConfiguration(AUTH_VARIABLES, environment, (reader) => ({
      psuLogin: () => readPsuLogin(reader),
    })).psuLogin;
  }

  function upstreamOf(environment: Readonly<Record<string, string>>) {
    const settings = read(environment);
    if (settings.login !== "oidc") throw new Error("this is another login");
    return settings.upstream;
  }

  const faultsOf = (changed: Readonly<Record<string, string>>) =>
    configurationFaults(() => read({ ...right(), ...changed }));

  it("are taken in production", () => {
    const settings = upstreamOf(right());
    expect(settings).to.deep.include({ psuClaim: "sub", nameClaim: "name", scope: "openid profile" });
    expect(settings.issuer.href).to.equal("https://login.bank.example/realms/psu");
    expect(settings.acrValues).to.deep.equal(["urn:bank:sca", "urn:bank:sca-2"]);
    expect(settings.authentication.kind).to.equal("secret");
  });

  it("report all faults at once", () => {
    const faults = faultsOf({
      UPSTREAM_ISSUER: "http://login.bank.example",
      UPSTREAM_CLIENT_ID: "ž",
      UPSTREAM_CLIENT_SECRET_FILE: "/nowhere/secret",
      UPSTREAM_ACR_VALUES: " ",
      UPSTREAM_PSU_CLAIM: "a claim",
      UPSTREAM_SCOPE: "profile",
      UPSTREAM_CA_FILE: fileWith("no certificate"),
    });
    const named = [
      "ISSUER",
      "CLIENT_ID",
      "CLIENT_SECRET_FILE",
      "ACR_VALUES",
      "PSU_CLAIM",
      "SCOPE",
      "CA_FILE",
    ];
    for (const name of named) expect(faults.join("\n")).to.contain(`UPSTREAM_${name}`);
    expect(faults).to.have.length(named.length);
  });

  it("take the bare address of an issuer, and no value that is too short, too long or malformed", () => {
    const issuer = "UPSTREAM_ISSUER must be an https URL with a host, a path and, if needed, a port only";
    for (const behind of ["?a=b", "#a"])
      expect(faultsOf({ UPSTREAM_ISSUER: `https://login.bank.example${behind}` })).to.deep.equal([issuer]);
    for (const who of ["psu", ":secret"])
      expect(faultsOf({ UPSTREAM_ISSUER: `https://${who}@login.bank.example` })).to.deep.equal([issuer]);
    for (const secret of ["a".repeat(15), "a".repeat(1_001), "ž".repeat(20)])
      expect(faultsOf({ UPSTREAM_CLIENT_SECRET_FILE: fileWith(secret) })).to.deep.equal([
        "UPSTREAM_CLIENT_SECRET_FILE: must contain 16 to 1,000 printable ASCII characters",
      ]);
    for (const value of ['"quoted"', "back\\slash", "tab\tin", "a".repeat(201)])
      expect(faultsOf({ UPSTREAM_ACR_VALUES: `urn:bank:sca ${value}` }), value).to.deep.equal([
        "UPSTREAM_ACR_VALUES: must be values of 1 to 200 visible ASCII characters without quotation marks and backslashes, separated by spaces",
      ]);
    expect(faultsOf({ UPSTREAM_CLIENT_ID: "a".repeat(201) })).to.have.length(1);
  });

  it("take the issuer and not its metadata's address, which would leave the issuer unchecked (OIDC Discovery 4.3)", () => {
    const { UPSTREAM_ISSUER: issuer } = right();
    for (const kind of ["openid-configuration", "oauth-authorization-server"])
      expect(faultsOf({ UPSTREAM_ISSUER: `${issuer}/.well-known/${kind}` })).to.deep.equal([
        "UPSTREAM_ISSUER must be the issuer, not the URL of its metadata: leave out /.well-known/",
      ]);
  });

  it("trust only the authorities that they name, or else those of Node", async () => {
    const { privateCaFile: UPSTREAM_CA_FILE } = await testCertificates();
    expect(upstreamOf(right()).authorities).to.deep.equal(rootCertificates);
    expect(upstreamOf({ ...right(), UPSTREAM_CA_FILE }).authorities).to.deep.equal([
      readFileSync(UPSTREAM_CA_FILE, "utf8"),
    ]);
  });

  it("need every value that has no default", () => {
    const { UPSTREAM_ISSUER: _issuer, ...rest } = right();
    expect(() => read(rest)).to.throw(ConfigurationRefusal, "UPSTREAM_ISSUER");
    expect(() => read({ MODE: "production", PSU_LOGIN: "oidc" }))
      .to.throw(ConfigurationRefusal)
      .with.property("faults")
      .with.length(4);
  });

  it("take a secret or a key, and never both", async () => {
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const UPSTREAM_CLIENT_KEY_FILE = fileWith(JSON.stringify(await exportJWK(privateKey)));
    expect(faultsOf({ UPSTREAM_CLIENT_KEY_FILE })).to.have.length(1);
    const { UPSTREAM_CLIENT_SECRET_FILE: _secret, ...rest } = right();
    expect(upstreamOf({ ...rest, UPSTREAM_CLIENT_KEY_FILE }).authentication.kind).to.equal("key");
  });

  it("refuse a key that is public, weak or malformed, and repeat nothing of it", async () => {
    const { UPSTREAM_CLIENT_SECRET_FILE: _secret, ...rest } = right();
    const { publicKey } = await generateKeyPair("ES256");
    const p384 = await generateKeyPair("ES384", { extractable: true });
    const small = generateKeyPairSync("rsa", { modulusLength: 2_040 });
    const keys = [
      JSON.stringify(await exportJWK(publicKey)),
      JSON.stringify(await exportJWK(p384.privateKey)),
      JSON.stringify(small.privateKey.export({ format: "jwk" })),
      '["short-secret',
      "null",
    ];
    for (const key of keys)
      expect(() => read({ ...rest, UPSTREAM_CLIENT_KEY_FILE: fileWith(key) }))
        .to.throw(ConfigurationRefusal, "UPSTREAM_CLIENT_KEY_FILE")
        .with.property("message")
        .not.contain("short-secret");
  });

  it("take a key whose alg is absent or one of ours, and refuse another (RFC 7517 4.4)", async () => {
    const { UPSTREAM_CLIENT_SECRET_FILE: _secret, ...rest } = right();
    const keyOf = async (algorithm: string) =>
      exportJWK((await generateKeyPair(algorithm, { extractable: true })).privateKey);
    const [ec, rsa] = [await keyOf("ES256"), await keyOf("PS256")];
    const faults = (jwk: object) =>
      configurationFaults(() => read({ ...rest, UPSTREAM_CLIENT_KEY_FILE: fileWith(JSON.stringify(jwk)) }));
    for (const jwk of [ec, { ...ec, alg: "ES256" }, rsa, { ...rsa, alg: "PS256" }, { ...rsa, alg: "RS256" }])
      expect(faults(jwk)).to.deep.equal([]);
    for (const [jwk, named] of [
      [{ ...ec, alg: "RS256" }, "ES256"],
      [{ ...rsa, alg: "RS512" }, "PS256 or RS256"],
      [{ ...rsa, alg: 256 }, "PS256 or RS256"],
    ] as const)
      expect(faults(jwk)).to.deep.equal([`UPSTREAM_CLIENT_KEY_FILE: has an alg that is not ${named}`]);
  });

  it("are a fault where another login is chosen", () => {
    const rows = { UPSTREAM_CLIENT_KEY_FILE: "/key", UPSTREAM_CA_FILE: "/ca" };
    const names =
      "UPSTREAM_ISSUER, UPSTREAM_CLIENT_ID, UPSTREAM_CLIENT_SECRET_FILE, UPSTREAM_CLIENT_KEY_FILE, UPSTREAM_ACR_VALUES, UPSTREAM_CA_FILE";
    expect(faultsOf({ ...rows, MODE: "sandbox", PSU_LOGIN: "sandbox" })).to.deep.equal([
      `${names} may be set only with PSU_LOGIN=oidc`,
    ]);
    expect(faultsOf({ PSU_LOGIN: "sandbox" }).join()).to.contain("PSU_LOGIN=sandbox needs MODE=sandbox");
  });

  it("do not reveal their secret when printed", () => {
    const settings = read(right());
    expect(inspect(settings, { depth: 5 }) + JSON.stringify(settings)).not.to.contain("enough characters");
  });
});
