import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import { makeFolder } from "../files/make-folder.ts";
import { writeWhole } from "../files/write-whole.ts";
import { type IssuedCertificate, issuedCertificate } from "./issue-certificate.ts";

/** The files of a certificate in a folder; `name` is e.g. `server/auth`. */
export function keyPairFiles(directory: string, name: string): KeyPairFiles {
  return { certificateFile: join(directory, `${name}.pem`), keyFile: join(directory, `${name}.key`) };
}

/**
 * Writes a certificate with its chain, and its key readable by the owner only; each file appears whole or not at all. `write`
 * says whether they also outlast a power failure.
 */
export async function writeKeyPair(
  files: KeyPairFiles,
  issued: IssuedCertificate,
  write = writeWhole,
): Promise<void> {
  await makeFolder(dirname(files.keyFile), 0o700);
  await write(files.keyFile, issued.privateKeyPem, 0o600);
  await write(files.certificateFile, issued.chainPem, 0o644);
}

/** Reads back what {@link writeKeyPair} wrote; throws errors of the file system and the PEM reader. */
export async function readKeyPair(files: KeyPairFiles): Promise<IssuedCertificate> {
  const [chainPem, privateKeyPem] = await Promise.all([
    readFile(files.certificateFile, "utf8"),
    readFile(files.keyFile, "utf8"),
  ]);
  return issuedCertificate({ chainPem, privateKeyPem });
}
