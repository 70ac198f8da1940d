import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import { issueServerCertificate } from "../../packages/sandbox/src/certificates/server-certificate.ts";
import type { TestCa } from "../../packages/sandbox/src/certificates/test-ca.ts";

/** Writes a server certificate for localhost and its key to a folder. */
export async function writeServerKeyPair(ca: TestCa, folder: string, now: Date): Promise<KeyPairFiles> {
  const issued = await issueServerCertificate(
    ca,
    { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    now,
  );
  const files = { certificateFile: join(folder, "server.pem"), keyFile: join(folder, "server.key") };
  writeFileSync(files.certificateFile, issued.chainPem);
  writeFileSync(files.keyFile, issued.privateKeyPem, { mode: 0o600 });
  return files;
}
