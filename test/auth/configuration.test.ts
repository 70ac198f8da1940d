import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { inspect } from "node:util";
import { configure } from "@cobs/auth";
import { readConfiguration } from "@cobs/service-edge";
import { expect } from "chai";
import { AUTH_VARIABLES } from "../../packages/auth/src/env.ts";
import { GENERATED_PASSWORD_COST } from "../../packages/auth/src/psu/sandbox/password-hash.ts";
import { readSigningSettings } from "../../packages/auth/src/signing/signing-settings.ts";
import { configurationFaults } from "../support/configuration-faults.ts";
import { newPrivateKeyPem } from "../support/new-private-key.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type RunningAuth, runAuth } from "./running-auth.ts";

describe("The configuration of auth", () => {
  const folder = temporaryFolder();
  let auth: RunningAuth;
  before(async () => {
    auth = await runAuth();
  });
  after(async () => {
    await auth.stop();
    folder.remove();
  });

  const faultsOf = (changed: Readonly<Record<string, string>>) =>
    configurationFaults(() => configure({ ...auth.environment, ...changed }));
  const fileWith = (content: string, name = "file") => {
    const file = join(folder.path, name);
    writeFileSync(file, content);
    return file;
  };

  const newSigningKey = () =>
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });

  it("reports all faults at once", () => {
    const faults = faultsOf({
      ISSUER: "http://a",
      CODE_LIFETIME_SECONDS: "0",
      BROWSER_PORT: "x",
      BANK_CALLERS: "a",
      LISTEN_HOST: "http://a",
      OPERATOR_HOST: "[::1]",
    });
    expect(faults).to.have.length(6);
  });

  it("leaves the security profile to the TPP, or requires fapi2 at once or from a midnight on (UTC)", () => {
    const fapi2From = (SECURITY_PROFILE?: string) =>
      configure({ ...auth.environment, ...(SECURITY_PROFILE && { SECURITY_PROFILE }) }).requiredProfile
        .fapi2From;
    expect(fapi2From()).to.equal(undefined);
    expect(fapi2From("any")).to.equal(undefined);
    expect(fapi2From("fapi2")?.getTime()).to.equal(0);
    expect(fapi2From("fapi2-from=2027-03-01")?.toISOString()).to.equal("2027-03-01T00:00:00.000Z");
    for (const wrong of ["cobs", "FAPI2", "fapi2-from=", "fapi2-from=2027-02-30", "fapi2-from=1.3.2027"])
      expect(faultsOf({ SECURITY_PROFILE: wrong }), wrong).to.have.length(1);
  });

  it("makes a check of an unknown PSU's password cost as much as of a generated one (RTS Article 4(3)(a))", () => {
    expect(configure({ ...auth.environment }).psuLogin).to.deep.equal({
      login: "sandbox",
      passwordCost: GENERATED_PASSWORD_COST,
    });
  });

  it("keeps records for five years, even for years with two leap days (PSD2 Article 21)", () => {
    const { recordRetentionDays } = configure({ ...auth.environment });
    const kept = new Date(Date.parse("2032-03-01") - recordRetentionDays * 86_400_000);
    expect(kept.toISOString().slice(0, 10)).to.equal("2027-03-01");
  });

  it("allows passkeys for the host of the pages or a named parent domain of it, and for no other domain", () => {
    const partyOf = (changed: Readonly<Record<string, string>>) =>
      configure({ ...auth.environment, ISSUER: "https://login.bank.example", ...changed })
        .passkeyRelyingParty;
    expect(partyOf({})?.id).to.equal("login.bank.example");
    expect(partyOf({ PASSKEY_DOMAIN: "bank.example" })).to.include({
      id: "bank.example",
      origin: "https://login.bank.example",
    });
    expect(partyOf({ ISSUER: "https://127.0.0.1:8443" })).to.equal(undefined);
    const ISSUER = "https://login.bank.example";
    for (const PASSKEY_DOMAIN of ["example", "other.example"])
      expect(faultsOf({ ISSUER, PASSKEY_DOMAIN }), PASSKEY_DOMAIN).to.have.length(1);
  });

  it("allows keys of applications at private addresses in the sandbox only", () => {
    const JWKS_URI_ADDRESSES = "private";
    expect(faultsOf({ JWKS_URI_ADDRESSES })).to.deep.equal([]);
    expect(faultsOf({ JWKS_URI_ADDRESSES, MODE: "production" })).to.include(
      "JWKS_URI_ADDRESSES=private needs MODE=sandbox",
    );
    const settingsOf = (changed: Readonly<Record<string, string>>) =>
      configure({ ...auth.environment, ...changed }).applications;
    expect(settingsOf({ JWKS_URI_ADDRESSES: "none" }).publishedKeys).to.equal(undefined);
    expect(settingsOf({})).to.deep.equal({
      offeredScopes: ["aisp", "pisp"],
      maxPerTpp: 100,
      secretOverlapSeconds: 0,
      publishedKeys: { allowsPrivateAddresses: false, authorities: undefined },
    });
    const JWKS_URI_AUTHORITY_FILE = auth.environment.BANK_AUTHORITY_FILE ?? "";
    expect(settingsOf({ JWKS_URI_AUTHORITY_FILE }).publishedKeys?.authorities).to.deep.equal([
      ...rootCertificates,
      readFileSync(JWKS_URI_AUTHORITY_FILE, "utf8"),
    ]);
  });

  it("limits calls per address where addresses are known, and accepts proxies only as addresses", () => {
    const addressesOf = (changed: Readonly<Record<string, string>>) =>
      configure({ ...auth.environment, ...changed }).rateLimits.browserAddresses;
    const forwarded = { CLIENT_CERTIFICATE_SOURCE: "rfc9440", PROXY_NAMES: "proxy" };
    expect(addressesOf({})).to.deep.equal({ kind: "of-connections", proxies: new Set() });
    expect(addressesOf(forwarded)).to.deep.equal({ kind: "unknown" });
    const proxies = new Set(["10.0.0.1", "2001:db8:0:0:0:0:0:7", "64:ff9b:0:0:0:0:a00:2", "10.0.0.3"]);
    const BROWSER_PROXIES = "10.0.0.1, 2001:db8::7, 64:ff9b::10.0.0.2, ::ffff:a00:3";
    expect(addressesOf({ ...forwarded, BROWSER_PROXIES })).to.deep.equal({ kind: "of-connections", proxies });
    expect(faultsOf({ BROWSER_PROXIES: "proxy.bank.example" })).to.have.length(1);
    expect(faultsOf({ TOKEN_REQUESTS_PER_MINUTE: "0" })).to.have.length(1);
  });

  it("uses the TPP register only with a register file, and reads the list of exempt TPPs exactly", () => {
    expect(configure(auth.environment).tppRegister).to.equal(undefined);
    expect(faultsOf({ TPP_REGISTER_POLICY: "block" })).to.deep.equal([
      "TPP_REGISTER_POLICY=block requires TPP_REGISTER_FILE",
    ]);
    const named = {
      ...auth.environment,
      TPP_REGISTER_FILE: "/var/lib/register.json",
      TPP_REGISTER_EXEMPT: "PSDCZ-CNB-00000001, PSDFI-FINFSA-2858394-9",
    };
    expect(configure(named).tppRegister).to.deep.equal({
      file: "/var/lib/register.json",
      policy: "warn",
      exempt: new Set(["PSDCZ-CNB-00000001", "PSDFI-FINFSA-2858394-9"]),
      maxAgeDays: 7,
    });
    const wrong = {
      TPP_REGISTER_EXEMPT: "CZ-CNB-1",
      TPP_REGISTER_POLICY: "forbid",
      TPP_REGISTER_MAX_AGE_DAYS: "0",
    };
    for (const file of [{}, { TPP_REGISTER_FILE: "/a" }])
      expect(faultsOf({ ...file, ...wrong })).to.have.length(3);
    expect(faultsOf({ SECOND_READER: "maybe", SECOND_READER_DEADLINE_MILLISECONDS: "1" })).to.have.length(2);
  });

  it("refuses sandbox anchors and the sandbox directory in production", () => {
    const faults = faultsOf({ MODE: "production" });
    expect(faults.join()).to.contain("TRUST_ANCHORS_FILE").and.to.contain("PSU_LOGIN");
  });

  it("delivers codes to an inbox in the sandbox only, or to the bank's service that DELIVERY_URL names over https", () => {
    const signingWith = (changed: Readonly<Record<string, string>>) =>
      configure({ ...auth.environment, ...changed }).signing;
    expect(signingWith({})).to.deep.equal({ delivery: { kind: "inbox" }, codesPerHour: 30 });
    const url = "https://delivery.bank.example/texts?to=psu";
    expect(signingWith({ DELIVERY_URL: url, CODES_PER_HOUR: "5" })).to.deep.equal({
      delivery: { kind: "service", url: new URL(url) },
      codesPerHour: 5,
    });
    const { signing } = readConfiguration(AUTH_VARIABLES, { MODE: "production" }, (read) => ({
      signing: () => readSigningSettings(read),
    }));
    expect(signing.delivery).to.deep.equal({ kind: "none" });
    for (const wrong of ["http://delivery.bank.example", "delivery", "https://a:b@bank.example/", `${url}#a`])
      expect(faultsOf({ DELIVERY_URL: wrong }), wrong).to.have.length(1);
  });

  it("accepts only https for RESOURCE_BANK_URL", () => {
    expect(faultsOf({ RESOURCE_BANK_URL: "http://resource.example" })).to.deep.equal([
      "RESOURCE_BANK_URL must be a URL that starts with https:",
    ]);
  });

  it("accepts its own URLs only as https, host and port, with nothing else (RFC 8414 3.1)", () => {
    for (const name of ["ISSUER", "MUTUAL_TLS_URL", "BANK_URL", "RESOURCE_BANK_URL"])
      for (const wrong of [
        "localhost/oauth",
        "localhost?a=b",
        "localhost#a",
        "me@localhost",
        ":secret@localhost",
      ])
        expect(faultsOf({ [name]: `https://${wrong}` }), wrong).to.deep.equal([
          `${name} must be https, a host and a port, and nothing else`,
        ]);
    expect(configure({ ...auth.environment, ISSUER: "https://bank.example/" }).issuer).to.equal(
      "https://bank.example",
    );
  });

  it("refuses a colour with too little contrast, and a logo that is not an SVG or PNG (WCAG 2.2 1.4.3)", () => {
    expect(faultsOf({ BANK_COLOR: "#ff9900" })).to.deep.equal([
      "BANK_COLOR: has a contrast of 2.00 : 1, but text needs 4.5 : 1 (WCAG 2.2 1.4.3): use #9e5f00, for example",
    ]);
    expect(faultsOf({ BANK_COLOR: "red", BANK_LOGO_FILE: fileWith("<html>") })).to.deep.equal([
      "BANK_COLOR: must be a colour of the form #rrggbb",
      "BANK_LOGO_FILE: must be an SVG or PNG file",
    ]);
    const nothing = join(folder.path, "nothing.svg");
    expect(faultsOf({ BANK_LOGO_FILE: nothing })).to.deep.equal([
      `BANK_LOGO_FILE: the file ${nothing} cannot be read: there is no such file`,
    ]);
    expect(faultsOf({ BANK_COLOR: "#006b3c", BANK_LOGO_FILE: fileWith("<svg/>") })).to.deep.equal([]);
  });

  it("accepts as the bank's contact only a tel:, mailto: or https: address", () => {
    for (const contact of ["tel:+420800123456", "mailto:help@bank.example", "https://bank.example/help"])
      expect(faultsOf({ BANK_CONTACT: contact }), contact).to.deep.equal([]);
    for (const contact of [
      "800 123 456",
      "http://bank.example",
      "javascript:alert(1)",
      "mailto:bank",
      "tel:x",
    ])
      expect(faultsOf({ BANK_CONTACT: contact })[0], contact).to.match(/^BANK_CONTACT: must be like tel:/);
  });

  it("accepts as the bank's privacy notice only an https: address", () => {
    expect(faultsOf({ BANK_PRIVACY_URL: "https://bank.example/privacy" })).to.deep.equal([]);
    for (const address of ["http://bank.example", "javascript:alert(1)", "bank.example/privacy", "https://"])
      expect(faultsOf({ BANK_PRIVACY_URL: address }), address).to.deep.equal([
        "BANK_PRIVACY_URL must be a URL that starts with https:",
      ]);
  });

  it("never repeats the content of a key file that it cannot read", () => {
    for (const name of ["SIGNING_KEYS_FILE", "COOKIE_KEYS_FILE", "SEALING_KEY_FILE"]) {
      const faults = faultsOf({ [name]: fileWith('["short-secret') });
      expect(faults, name).to.have.length(1);
      expect(faults.join()).not.to.contain("short-secret");
    }
    expect(faultsOf({ SIGNING_KEYS_FILE: fileWith('{"keys":[{"kty":"RSA"}]}') })).to.have.length(1);
  });

  it("reports a missing key file like any other missing file", () => {
    for (const name of ["SIGNING_KEYS_FILE", "COOKIE_KEYS_FILE", "SEALING_KEY_FILE"])
      expect(faultsOf({ [name]: "/nowhere/key" })).to.deep.equal([
        `${name}: the file /nowhere/key cannot be read: there is no such file`,
      ]);
  });

  it("repeats no secret that was set where its file should be named", () => {
    const key = newPrivateKeyPem();
    const inBase64 = [
      "c2hvcnQtc2VjcmV0",
      "/2hvcnQtc2VjcmV0",
      "/short+secret+lower=",
      "/2hvcnQ/c2VjcmV0c2VjcmV0Kw==",
    ];
    for (const name of ["DATABASE_URL_FILE", "SEALING_KEY_FILE", "SERVER_KEY_FILE"])
      for (const secret of ["postgresql://auth:short-secret@db/auth", ...inBase64, key, `/${key}`]) {
        const faults = faultsOf({ DATABASE_URL: "", [name]: secret }).filter((fault) =>
          fault.startsWith(name),
        );
        expect(faults, secret).to.deep.equal([`${name}: the file cannot be read: there is no such file`]);
      }
  });

  it("names a missing file by a path that may not be a secret", () => {
    for (const path of [
      "./sealing.key",
      "../keys/sealing",
      "/run/secrets/sealing/key",
      "/Keys/sealing-key.txt",
    ])
      expect(faultsOf({ SEALING_KEY_FILE: path })).to.deep.equal([
        `SEALING_KEY_FILE: the file ${path} cannot be read: there is no such file`,
      ]);
  });

  it("refuses a signing key whose private and public parts are not a pair", () => {
    const [one, other] = [newSigningKey(), newSigningKey()];
    const wrong = { anothers: { ...one, x: other.x, y: other.y }, ofNoPoint: { ...one, y: other.y } };
    for (const [name, key] of Object.entries(wrong))
      expect(
        faultsOf({ SIGNING_KEYS_FILE: fileWith(JSON.stringify({ keys: [one, key] })) }),
        name,
      ).to.deep.equal(["SIGNING_KEYS_FILE: contains a key whose private and public parts do not match"]);
    expect(faultsOf({ SIGNING_KEYS_FILE: fileWith(JSON.stringify({ keys: [one, other] })) })).to.deep.equal(
      [],
    );
  });

  it("does not show its secrets when it is printed", () => {
    const [key, cookieKey] = [newSigningKey(), "c".repeat(43)];
    const { d = "" } = key;
    const config = configure({
      ...auth.environment,
      SIGNING_KEYS_FILE: fileWith(JSON.stringify({ keys: [key] }), "signing"),
      COOKIE_KEYS_FILE: fileWith(JSON.stringify([cookieKey]), "cookies"),
    });
    const text = inspect(config, { depth: 5 }) + JSON.stringify(config);
    expect(config.signingKeys?.reveal()).to.contain(d);
    const { password } = new URL(config.databaseUrl.reveal());
    for (const secret of [d, cookieKey, password]) expect(text).not.to.contain(secret);
  });
});
