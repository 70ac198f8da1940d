import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { testCertificates } from "../../support/test-certificates.ts";

/** The DER of a TPP certificate of the sandbox and of its issuing CA. */
export async function tppCertificate(
  name: string,
): Promise<{ readonly der: Buffer; readonly issuer: Buffer }> {
  const found = (await testCertificates()).tpp.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no certificate ${name}`);
  const [der, issuer] = readFileSync(found.certificateFile, "utf8")
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .map((pem) => new X509Certificate(pem).raw);
  if (der === undefined || issuer === undefined) throw new Error(`${name} has no issuing CA with it`);
  return { der, issuer };
}
