import { X509Certificate } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { readTestCa } from "../../packages/sandbox/src/certificates/test-ca-files.ts";
import { until } from "../support/eventually.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { type RunningResource, runResource } from "./running-resource.ts";

describe("The certificate with which resource calls auth", () => {
  const folder = temporaryFolder();
  const files = {
    BANK_CLIENT_CERTIFICATE_FILE: join(folder.path, "client.pem"),
    BANK_CLIENT_KEY_FILE: join(folder.path, "client.key"),
  };
  let resource: RunningResource;
  before(async () => {
    const { bank } = await testCertificates();
    copyFileSync(bank.resource.certificateFile, files.BANK_CLIENT_CERTIFICATE_FILE);
    copyFileSync(bank.resource.keyFile, files.BANK_CLIENT_KEY_FILE);
    resource = await runResource(files);
  });
  after(() => resource.stop());

  it("is reloaded when its files are replaced, while calls go on, and its end is shown in a metric", async () => {
    const { auth, certificates } = resource;
    const name = { commonName: "resource", dnsNames: [], ipAddresses: [], purposes: ["clientAuth"] as const };
    const ca = await readTestCa(certificates.directory);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const renewed = await issuePrivateCertificate(ca, name, inAnHour);
    const { serialNumber, validTo } = new X509Certificate(renewed.certificatePem);
    const call = () => resource.call({ token: resource.giveToken() });
    expect((await call()).status).to.equal(200);
    writeFileSync(files.BANK_CLIENT_CERTIFICATE_FILE, renewed.certificatePem);
    writeFileSync(files.BANK_CLIENT_KEY_FILE, renewed.privateKeyPem);
    await until(async () => {
      expect((await call()).status).to.equal(200);
      return auth.callers.has(serialNumber);
    }, "it is shown");
    const end = await resource.metric('own_certificate_end_timestamp_seconds{certificate="bank-client"');
    expect(end).to.equal(Date.parse(validTo) / 1000);
    auth.callers.clear();
    for (let again = 0; again < 5; again += 1) await call();
    expect([...auth.callers]).to.deep.equal([serialNumber]);
  });
});
