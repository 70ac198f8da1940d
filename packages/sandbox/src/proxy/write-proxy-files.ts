/** Files that a proxy in front of the sandbox's services reads: certificates of the sandbox's authorities. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import type { SandboxCertificates } from "../certificates/sandbox-certificates.ts";
import { issuePrivateCertificate } from "../certificates/server-certificate.ts";
import { readTestCa } from "../certificates/test-ca-files.ts";
import { writeWhole } from "../files/write-whole.ts";

/** The common name of the proxy's certificate under the private CA, as in `PROXY_NAMES`. */
export const PROXY_NAME = "proxy.bank";

/** Issues the certificate of a machine of the bank, which may or may not be allowed to call a service. */
export async function issueProxyCertificate(
  certificates: SandboxCertificates,
  commonName = PROXY_NAME,
): Promise<{ readonly cert: string; readonly key: string }> {
  const machine = { commonName, dnsNames: [commonName], ipAddresses: [], purposes: ["clientAuth" as const] };
  const ca = await readTestCa(certificates.directory);
  const { chainPem: cert, privateKeyPem: key } = await issuePrivateCertificate(ca, machine, new Date());
  return { cert, key };
}

/**
 * Writes the files that a proxy reads, with certificate and key in one file each, and gives the variables that name the files.
 */
export async function writeProxyFiles(
  folder: string,
  certificates: SandboxCertificates,
): Promise<Readonly<Record<string, string>>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (name: string, content: string) => {
    const file = join(folder, name);
    await writeWhole(file, content, 0o600);
    return file;
  };
  const { cert, key } = await issueProxyCertificate(certificates);
  return {
    SERVER_CERTIFICATE: await write("server.pem", await inOneFile(certificates.server.auth)),
    PROXY_CERTIFICATE: await write("proxy.pem", `${cert}${key}`),
    TPP_AUTHORITIES: await write("authorities.pem", await authoritiesOf(certificates.anchorsFile)),
    ORIGIN_AUTHORITY: certificates.caFile,
    ORIGIN_NAME: "localhost",
  };
}

async function inOneFile({ certificateFile, keyFile }: KeyPairFiles): Promise<string> {
  return `${await readFile(certificateFile, "utf8")}${await readFile(keyFile, "utf8")}`;
}

async function authoritiesOf(anchorsFile: string): Promise<string> {
  const { anchors }: { anchors: { certificate: string }[] } = JSON.parse(await readFile(anchorsFile, "utf8"));
  return anchors.map(({ certificate }) => certificate).join("\n");
}
