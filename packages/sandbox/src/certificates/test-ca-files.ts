import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonMembers } from "../files/json-members.ts";
import { keepWhole, writeWhole } from "../files/write-whole.ts";
import type { IssuedCertificate } from "./issue-certificate.ts";
import { keyPairFiles, readKeyPair, writeKeyPair } from "./key-pair-files.ts";
import type { TestCa } from "./test-ca.ts";
import { validityOf } from "./validity.ts";

/** Where the authorities and their keys are, so that a later start can issue under them. */
const authorityFiles = {
  qtspRoot: "ca-keys/qtsp-root",
  qtspIssuing: "ca-keys/qtsp-issuing",
  unknownIssuing: "ca-keys/unknown-issuing",
  web: "ca-keys/web",
  private: "ca-keys/private",
} as const satisfies Record<keyof TestCa, string>;

/** The files that others use as trust anchors: the web CA, the private CA, and the anchors for TPP certificates. */
export function trustFiles(directory: string) {
  return {
    caFile: join(directory, "ca.pem"),
    privateCaFile: join(directory, "private-ca.pem"),
    anchorsFile: join(directory, "anchors.json"),
  };
}

/** Writes the authorities with their keys, and the files of trust anchors. */
export async function writeTestCa(directory: string, ca: TestCa): Promise<void> {
  // Others trust an authority for as long as it is valid: unlike the rest here, it cannot be made again.
  const write = (name: keyof TestCa) =>
    writeKeyPair(keyPairFiles(directory, authorityFiles[name]), ca[name], keepWhole);
  const files = trustFiles(directory);
  await Promise.all([
    write("qtspRoot"),
    write("qtspIssuing"),
    write("unknownIssuing"),
    write("web"),
    write("private"),
  ]);
  await writeWhole(files.anchorsFile, presentAnchors(ca), 0o644);
  // No later start writes these two again. The flush of their folder also keeps that of the keys.
  await keepWhole(files.privateCaFile, ca.private.certificatePem, 0o644);
  await keepWhole(files.caFile, ca.web.certificatePem, 0o644);
}

/** Reads back the authorities that {@link writeTestCa} wrote; throws errors of the file system. */
export async function readTestCa(directory: string): Promise<TestCa> {
  const read = (name: keyof TestCa) => readKeyPair(keyPairFiles(directory, authorityFiles[name]));
  const [qtspRoot, qtspIssuing, unknownIssuing, web, privateRoot] = await Promise.all([
    read("qtspRoot"),
    read("qtspIssuing"),
    read("unknownIssuing"),
    read("web"),
    read("private"),
  ]);
  return { qtspRoot, qtspIssuing, unknownIssuing, web, private: privateRoot };
}

/** Writes the anchors again if their file is missing or of an earlier form; one that a person has changed stays. */
export async function keepAnchors(directory: string, ca: TestCa): Promise<void> {
  const { anchorsFile } = trustFiles(directory);
  if (!(await hasRevision(anchorsFile))) await writeWhole(anchorsFile, presentAnchors(ca), 0o644);
}

async function hasRevision(anchorsFile: string): Promise<boolean> {
  try {
    return jsonMembers(JSON.parse(await readFile(anchorsFile, "utf8")), anchorsFile).number("revision") > 0;
  } catch {
    return false;
  }
}

/** The trust anchor file of the sandbox: both root and issuing CA, because TLS needs the root. */
export function presentAnchors(ca: TestCa): string {
  const anchors = [
    anchorOf("COBS Sandbox QTSP, root", ca.qtspRoot),
    anchorOf("COBS Sandbox QTSP", ca.qtspIssuing),
  ];
  return `${JSON.stringify({ environment: "sandbox", version: 1, revision: 1, anchors }, null, 2)}\n`;
}

function anchorOf(serviceName: string, { certificatePem }: IssuedCertificate) {
  const { notBefore, notAfter } = validityOf(new X509Certificate(certificatePem));
  return {
    serviceName,
    from: notBefore.toISOString(),
    until: notAfter.toISOString(),
    certificate: certificatePem,
  };
}
