import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import type { SandboxCertificates } from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { issuePrivateCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import { readTestCa } from "../../packages/sandbox/src/certificates/test-ca-files.ts";

/** The common name of the proxy's certificate under the private CA, as in `PROXY_NAMES`. */
export const PROXY_NAME = "proxy.bank";

/** The certificate of a machine of the bank, with which it may or may not call a service. */
export async function issueProxyCertificate(
  certificates: SandboxCertificates,
  commonName = PROXY_NAME,
): Promise<{ readonly cert: string; readonly key: string }> {
  const machine = { commonName, dnsNames: [commonName], ipAddresses: [], purposes: ["clientAuth" as const] };
  const ca = await readTestCa(certificates.directory);
  const { chainPem: cert, privateKeyPem: key } = await issuePrivateCertificate(ca, machine, new Date());
  return { cert, key };
}

/** Writes what a proxy reads, certificate and key in one file each, and gives the variables that name the files. */
export async function writeProxyFiles(
  folder: string,
  certificates: SandboxCertificates,
): Promise<Readonly<Record<string, string>>> {
  const write = (name: string, content: string) => {
    const file = join(folder, name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  };
  const { cert, key } = await issueProxyCertificate(certificates);
  return {
    SERVER_CERTIFICATE: write("server.pem", inOneFile(certificates.server.auth)),
    PROXY_CERTIFICATE: write("proxy.pem", `${cert}${key}`),
    TPP_AUTHORITIES: write("authorities.pem", authoritiesOf(certificates.anchorsFile)),
    ORIGIN_AUTHORITY: certificates.caFile,
    ORIGIN_NAME: "localhost",
  };
}

function inOneFile({ certificateFile, keyFile }: KeyPairFiles): string {
  return `${readFileSync(certificateFile, "utf8")}${readFileSync(keyFile, "utf8")}`;
}

function authoritiesOf(anchorsFile: string): string {
  const { anchors }: { anchors: { certificate: string }[] } = JSON.parse(readFileSync(anchorsFile, "utf8"));
  return anchors.map(({ certificate }) => certificate).join("\n");
}
