import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configure as configureAuth } from "@cobs/auth";
import { configure as configureResource } from "@cobs/resource";
import { expect } from "chai";
import { issueCertificate } from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import { machineDays } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { subjectOids } from "../../packages/sandbox/src/certificates/subject-attribute.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { daysAround } from "../../packages/sandbox/src/certificates/validity.ts";
import { configurationFaults } from "../support/configuration-faults.ts";
import { newPrivateKeyPem } from "../support/new-private-key.ts";
import { makeServiceEnvironments, type ServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CONFIGURE = { auth: configureAuth, resource: configureResource };
const PAIRS = ["SERVER", "BANK", "BANK_CLIENT"];
const CONTENT = "a secret of the wrong kind";

describe("Configured keys and certificates", () => {
  const folder = temporaryFolder();
  let environments: ServiceEnvironments;
  before(async () => {
    environments = await makeServiceEnvironments(folder.path);
  });
  after(() => folder.remove());

  const faultsOf = (service: "auth" | "resource", changed: Readonly<Record<string, string>>) => {
    const DATABASE_URL = "postgresql://nobody@127.0.0.1:1/nothing";
    const environment = { ...environments[service], DATABASE_URL, ...changed };
    return configurationFaults(() => CONFIGURE[service](environment));
  };
  function fileWith(content: string): string {
    const file = join(folder.path, randomUUID());
    writeFileSync(file, content);
    return file;
  }
  const contentOf = (service: "auth" | "resource", name: string) =>
    readFileSync(environments[service][name] ?? "", "utf8");

  for (const service of ["auth", "resource"] as const) {
    it(`are all read, and each that is unusable is reported with its file (${service})`, () => {
      const garbage = fileWith(CONTENT);
      const names = PAIRS.flatMap((prefix) => [`${prefix}_CERTIFICATE_FILE`, `${prefix}_KEY_FILE`]);
      const wrong = [...names, "BANK_AUTHORITY_FILE"];
      const faults = faultsOf(service, Object.fromEntries(wrong.map((name) => [name, garbage])));
      expect(faults).to.have.length(wrong.length);
      for (const name of wrong)
        expect(faults).to.include(
          name.endsWith("KEY_FILE")
            ? `${name}: the file ${garbage} holds no PEM private key, or one with a passphrase`
            : `${name}: the file ${garbage} holds no PEM certificate`,
        );
      expect(faults.join()).not.to.include(CONTENT);
    });

    it(`yield one fault when the file of trust anchors is missing (${service})`, () => {
      expect(faultsOf(service, { TRUST_ANCHORS_FILE: "/none" })).to.deep.equal([
        "TRUST_ANCHORS_FILE: the file /none cannot be read: there is no such file",
      ]);
    });

    it(`may stand beside the variables of the other service, which are not taken for misspelt (${service})`, () => {
      expect(
        faultsOf(service, { ...environments.auth, ...environments.resource, ...environments[service] }),
      ).to.deep.equal([]);
    });

    it(`are reported with the reason when a file is a folder (${service})`, () => {
      expect(
        faultsOf(service, { SERVER_CERTIFICATE_FILE: "/tmp", DATABASE_URL_FILE: "/tmp", DATABASE_URL: "" }),
      ).to.deep.equal([
        "DATABASE_URL_FILE: the file /tmp cannot be read: it is a folder",
        "SERVER_CERTIFICATE_FILE: the file /tmp cannot be read: it is a folder",
      ]);
    });

    for (const prefix of PAIRS)
      it(`are refused when a key does not belong to its certificate (${service}, ${prefix})`, () => {
        const [name, certificate] = [`${prefix}_KEY_FILE`, `${prefix}_CERTIFICATE_FILE`];
        const other = prefix === "BANK" ? "SERVER" : "BANK";
        const key = fileWith(contentOf(service, `${other}_KEY_FILE`));
        expect(faultsOf(service, { [name]: key })).to.deep.equal([
          `${name}: the key in ${key} does not belong to the first certificate of ${certificate} (${environments[service][certificate]})`,
        ]);
      });

    it(`are refused when the client certificate has no or several common names (${service})`, async () => {
      const { private: issuer } = await createTestCa(new Date());
      for (const names of [[], ["one", "two"]]) {
        const subject = names.map((value) => ({ oid: subjectOids.commonName, value }));
        const validity = daysAround(new Date(), machineDays);
        const issued = await issueCertificate(issuer, { subject, validity, extensions: [] });
        const certificate = fileWith(issued.certificatePem);
        const pair = {
          BANK_CLIENT_CERTIFICATE_FILE: certificate,
          BANK_CLIENT_KEY_FILE: fileWith(issued.privateKeyPem),
        };
        expect(faultsOf(service, pair), names.join()).to.deep.equal([
          `BANK_CLIENT_CERTIFICATE_FILE: the first certificate of ${certificate} must have exactly one common name, by which others know its owner`,
        ]);
      }
    });

    it(`are refused when one certificate of a chain is broken (${service})`, () => {
      const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
      for (const name of ["SERVER_CERTIFICATE_FILE", "BANK_AUTHORITY_FILE"]) {
        const file = fileWith(`${contentOf(service, name)}${broken}`);
        expect(faultsOf(service, { [name]: file })).to.deep.equal([
          `${name}: the file ${file} holds a certificate that cannot be read`,
        ]);
      }
    });

    it(`may be followed by more certificates, with words between them (${service})`, () => {
      const authority = contentOf(service, "BANK_AUTHORITY_FILE");
      const more = (name: string) => fileWith(`own\n${contentOf(service, name)}\nabove it\n${authority}`);
      const names = ["SERVER_CERTIFICATE_FILE", "BANK_CLIENT_CERTIFICATE_FILE", "BANK_AUTHORITY_FILE"];
      expect(faultsOf(service, Object.fromEntries(names.map((name) => [name, more(name)])))).to.deep.equal(
        [],
      );
    });

    it(`are read together with DATABASE_URL_FILE, which must not be empty (${service})`, () => {
      const DATABASE_URL_FILE = fileWith("\n");
      expect(faultsOf(service, { DATABASE_URL: "", DATABASE_URL_FILE })).to.deep.equal([
        `DATABASE_URL_FILE: the file ${DATABASE_URL_FILE} is empty`,
      ]);
    });

    it(`are read together with DATABASE_URL, which its driver must be able to read (${service})`, () => {
      const faultsWith = (DATABASE_URL: string) => faultsOf(service, { DATABASE_URL });
      for (const password of ["s%25cret", "s%zcret", "50%", "a b"])
        expect(faultsWith(`postgresql://a:${password}@db/c`), password).to.deep.equal([]);
      for (const url of [
        "postgresql://a:s%ecret@db/c",
        "postgresql://a:b@db:99999/c",
        "postgresql://a:b@db/%ec",
      ])
        expect(faultsWith(url), url).to.deep.equal([
          "DATABASE_URL: must have user, password and name percent-encoded, and a port of at most 65535",
        ]);
      const key = encodeURIComponent(newPrivateKeyPem());
      for (const name of ["sslcert", "sslkey"]) {
        const urlWith = (file: string) => `postgresql://a:b@db/c?sslmode=verify-full&${name}=${file}`;
        expect(faultsWith(urlWith("/none"))).to.deep.equal([
          "DATABASE_URL: names the file /none, which cannot be read",
        ]);
        expect(faultsWith(urlWith(key))).to.deep.equal(["DATABASE_URL: names a file that cannot be read"]);
      }
    });

    it(`are refused while Node.js is told to verify nobody (${service})`, () => {
      const name = "NODE_TLS_REJECT_UNAUTHORIZED";
      expect(faultsOf(service, { [name]: "0" })).to.deep.equal([
        `${name} must not be 0: TLS would accept any certificate`,
      ]);
      expect(faultsOf(service, { [name]: "1" })).to.deep.equal([]);
    });

    it(`include the authority that DATABASE_URL names (${service})`, () => {
      const urlWith = (file: string) => ({
        DATABASE_URL: `postgresql://a:b@db/c?sslmode=verify-full&sslrootcert=${file}`,
      });
      const garbage = fileWith(CONTENT);
      expect(faultsOf(service, urlWith(environments[service].BANK_AUTHORITY_FILE ?? ""))).to.deep.equal([]);
      expect(faultsOf(service, urlWith(""))).to.deep.equal([]);
      expect(faultsOf(service, urlWith(garbage))).to.deep.equal([
        `DATABASE_URL: the file ${garbage} holds no PEM certificate`,
      ]);
      expect(faultsOf(service, urlWith("/none"))).to.deep.equal([
        "DATABASE_URL: the file /none of sslrootcert cannot be read",
      ]);
    });
  }

  it("include the authorities for published keys, for Redis and for a core system", () => {
    const file = fileWith(CONTENT);
    const none = (name: string) => `${name}: the file ${file} holds no PEM certificate`;
    expect(faultsOf("auth", { JWKS_URI_AUTHORITY_FILE: file })).to.deep.equal([
      none("JWKS_URI_AUTHORITY_FILE"),
    ]);
    const redis = { REDIS_URL: "rediss://127.0.0.1", REDIS_AUTHORITY_FILE: file };
    expect(faultsOf("auth", redis)).to.deep.equal([none("REDIS_AUTHORITY_FILE")]);
    const core = { BANK: "http", CORE_URL: "https://core.bank", CORE_AUTHORITY_FILE: file };
    expect(faultsOf("resource", core)).to.deep.equal([none("CORE_AUTHORITY_FILE")]);
  });
});
