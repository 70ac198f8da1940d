import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { IssuedCertificate } from "../certificates/issue-certificate.ts";
import { keyPairFiles, readKeyPair, writeKeyPair } from "../certificates/key-pair-files.ts";
import { ifMissing } from "../processes/error-codes.ts";

/** Authorities that answer for what they issued, by the names of their CRLs. */
export type AnsweringAuthorities = ReadonlyMap<string, IssuedCertificate>;

/** The name of the authority that issues the certificates of TPPs. */
export const issuingName = "issuing";

const orderedFolder = "ca-keys/ordered";

/**
 * Reads the authorities of a folder of certificates: the issuing one, the root, whose CRL some proxies ask for, and those
 * issued with an order.
 */
export async function readAnsweringAuthorities(directory: string): Promise<AnsweringAuthorities> {
  const files = await readdir(join(directory, orderedFolder)).catch(ifMissing([]));
  const names = files.filter((file) => file.endsWith(".pem")).map((file) => file.slice(0, -".pem".length));
  const read = async (name: string, path: string) =>
    [name, await readKeyPair(keyPairFiles(directory, path))] as const;
  return new Map(
    await Promise.all([
      read(issuingName, "ca-keys/qtsp-issuing"),
      read("root", "ca-keys/qtsp-root"),
      ...names.map((name) => read(name, `${orderedFolder}/${name}`)),
    ]),
  );
}

/** Keeps an authority that was issued with an order, so that it can answer for what it issued. */
export async function keepOrderedAuthority(
  directory: string,
  name: string,
  authority: IssuedCertificate,
): Promise<void> {
  await mkdir(join(directory, orderedFolder), { recursive: true, mode: 0o700 });
  await writeKeyPair(keyPairFiles(directory, `${orderedFolder}/${name}`), authority);
}
