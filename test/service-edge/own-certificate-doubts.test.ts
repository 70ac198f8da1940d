import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { startProgram } from "../support/program.ts";
import { writeServerKeyPair } from "../support/server-key-pair.ts";
import { makeServiceEnvironments, type ServiceEnvironments } from "../support/service-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const DAY_MILLISECONDS = 86_400_000;
const COMPLETE = { exitCode: 0, stdout: "auth: the configuration is complete\n" };

describe("--check of a service's own certificates", function ownCertificates() {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let environments: ServiceEnvironments;
  before(async () => {
    environments = await makeServiceEnvironments(folder.path);
  });
  after(() => folder.remove());

  const check = (changed: Readonly<Record<string, string>> = {}) => {
    const DATABASE_URL = "postgresql://nobody@127.0.0.1:1/nothing";
    const environment = { ...environments.auth, DATABASE_URL, ...changed };
    return startProgram("packages/auth/src/main.ts", ["--check"], environment).ended();
  };

  /** A pair of an authority that nobody here trusts, whose own certificate is with it, made so many days ago for 397. */
  async function strangePair(prefix: string, daysAgo: number): Promise<Readonly<Record<string, string>>> {
    const own = join(folder.path, prefix);
    mkdirSync(own);
    const made = new Date(Date.now() - daysAgo * DAY_MILLISECONDS);
    const ca = await createTestCa(made);
    const { certificateFile, keyFile } = await writeServerKeyPair(ca, own, made);
    appendFileSync(certificateFile, ca.web.certificatePem);
    return { [`${prefix}_CERTIFICATE_FILE`]: certificateFile, [`${prefix}_KEY_FILE`]: keyFile };
  }

  it("reports nothing when others accept them", async () => {
    expect(await check()).to.deep.equal({ ...COMPLETE, stderr: "" });
  });

  it("warns beside them of a right that no caller has", async () => {
    const said = "no caller has introspect, feed, signing, which the other service needs";
    const stderr = `auth: warning: BANK_CALLERS: ${said}\n`;
    expect(await check({ BANK_CALLERS: "jana=operator" })).to.deep.equal({ ...COMPLETE, stderr });
  });

  it("does not miss the right to have payments signed where there are none", async () => {
    const BANK_CALLERS = "resource=introspect,feed";
    expect(await check({ BANK_CALLERS, PAYMENTS: "off" })).to.deep.equal({ ...COMPLETE, stderr: "" });
    expect((await check({ BANK_CALLERS })).stderr).to.contain("no caller has signing,");
  });

  it("warns of those that have ended, end soon or are not of the bank's authority, without a fault", async () => {
    const [server, bank] = [await strangePair("SERVER", 500), await strangePair("BANK", 390)];
    const { stderr, ...ended } = await check({ ...server, ...bank });
    expect(ended).to.deep.equal(COMPLETE);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).to.have.length(3);
    const warning = "^auth: warning: ";
    expect(lines[0]).to.match(
      new RegExp(
        `${warning}SERVER_CERTIFICATE_FILE: the certificate is valid from \\S+ to \\S+, and not now$`,
      ),
    );
    expect(lines[1]).to.match(
      new RegExp(`${warning}BANK_CERTIFICATE_FILE: the certificate is valid until \\S+$`),
    );
    expect(lines[2]).to.match(
      new RegExp(
        `${warning}BANK_CERTIFICATE_FILE: the certificate was not issued by an authority in BANK_AUTHORITY_FILE$`,
      ),
    );
  });

  describe("whose authority", () => {
    const LIFE_DAYS = 3_652;

    /** A pair for the bank's own services that lasts, of an authority that ends in so many days, and that authority. */
    async function pairOfAuthority(name: string, endsInDays: number) {
      const ca = await createTestCa(new Date(Date.now() + (endsInDays - LIFE_DAYS) * DAY_MILLISECONDS));
      const machine = { commonName: "auth", dnsNames: ["localhost"], ipAddresses: [] };
      const purposes = ["serverAuth", "clientAuth"] as const;
      const pair = await issuePrivateCertificate(ca, { ...machine, purposes }, new Date());
      const [certificateFile, keyFile] = ["pem", "key"].map((each) => join(folder.path, `${name}.${each}`));
      if (certificateFile === undefined || keyFile === undefined) throw new Error("no files");
      writeFileSync(certificateFile, pair.chainPem);
      writeFileSync(keyFile, pair.privateKeyPem);
      const own = { BANK_CERTIFICATE_FILE: certificateFile, BANK_KEY_FILE: keyFile };
      const client = { BANK_CLIENT_CERTIFICATE_FILE: certificateFile, BANK_CLIENT_KEY_FILE: keyFile };
      return { environment: { ...own, ...client }, authority: ca.private.certificatePem };
    }

    function authorityFile(name: string, ...authorities: readonly string[]) {
      const BANK_AUTHORITY_FILE = join(folder.path, name);
      writeFileSync(BANK_AUTHORITY_FILE, authorities.join(""));
      return { BANK_AUTHORITY_FILE };
    }

    for (const [when, days, expected] of [
      ["has ended", -1, "from \\S+ to \\S+, and not now"],
      ["ends soon", 4, "until \\S+"],
    ] as const) {
      it(`${when}: warns of each, even beside another authority that lasts`, async () => {
        const { environment, authority } = await pairOfAuthority(`of-one-that-${days}`, days);
        const { authority: lasting } = await pairOfAuthority(`beside-${days}`, LIFE_DAYS);
        const file = authorityFile(`both-${days}.pem`, lasting, authority);
        const { stderr, ...ended } = await check({ ...environment, ...file });
        expect(ended).to.deep.equal(COMPLETE);
        const issuer = "its authority in BANK_AUTHORITY_FILE, or one above it,";
        const warning = (variable: string) => `auth: warning: ${variable}: ${issuer} is valid ${expected}\n`;
        expect(stderr).to.match(
          new RegExp(`^${warning("BANK_CERTIFICATE_FILE")}${warning("BANK_CLIENT_CERTIFICATE_FILE")}$`),
        );
      });
    }

    it("lasts: reports nothing about an expired one beside it", async () => {
      const { environment, authority } = await pairOfAuthority("of-one-that-lasts", LIFE_DAYS);
      const { authority: former } = await pairOfAuthority("of-the-former", -1);
      const file = authorityFile("former.pem", former, authority);
      expect(await check({ ...environment, ...file })).to.deep.equal({ ...COMPLETE, stderr: "" });
    });
  });
});
