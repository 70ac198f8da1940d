import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { createTestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runResource } from "./running-resource.ts";

const DAY_MILLISECONDS = 86_400_000;

describe("Expiry of the bank's private CA", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it("is reported as that of all certificates within the bank, and not of the one for TPPs", async () => {
    const ca = await createTestCa(new Date(Date.now() - 3_640 * DAY_MILLISECONDS));
    const name = { commonName: "resource", dnsNames: ["localhost"], ipAddresses: [] };
    const purposes = ["serverAuth", "clientAuth"] as const;
    const pair = await issuePrivateCertificate(ca, { ...name, purposes }, new Date());
    const write = (file: string, pem: string) => {
      const path = join(folder.path, file);
      writeFileSync(path, pem);
      return path;
    };
    const certificateFile = write("own.pem", pair.certificatePem);
    const keyFile = write("own.key", pair.privateKeyPem);
    const resource = await runResource({
      BANK_CERTIFICATE_FILE: certificateFile,
      BANK_KEY_FILE: keyFile,
      BANK_CLIENT_CERTIFICATE_FILE: certificateFile,
      BANK_CLIENT_KEY_FILE: keyFile,
      BANK_AUTHORITY_FILE: write("authority.pem", ca.private.certificatePem),
    });
    try {
      const endOf = (each: string) =>
        resource.metric(`own_certificate_end_timestamp_seconds{certificate="${each}"`);
      const end = Date.parse(new X509Certificate(ca.private.certificatePem).validTo) / 1000;
      expect([await endOf("bank"), await endOf("bank-client")]).to.deep.equal([end, end]);
      expect(await endOf("mutual-tls")).to.be.above(end);
    } finally {
      await resource.stop();
    }
  });
});
