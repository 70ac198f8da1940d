/**
 * The folder of a test CA, with the same layout as the sandbox's, so that every command works on both. Certificates issued
 * here go to `issued/`; the sandbox's own files are not changed. A folder that holds anything else, or the anchors of
 * production, is not touched.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseTrustAnchors, TrustAnchorFileError } from "@cobs/psd2-certificates";
import type { KeyPairFiles } from "@cobs/service-edge";
import type { CarriedOut } from "../certificates/carry-out-order.ts";
import { keyPairFiles, writeKeyPair } from "../certificates/key-pair-files.ts";
import { createTestCa, type TestCa } from "../certificates/test-ca.ts";
import { readTestCa, trustFiles, writeTestCa } from "../certificates/test-ca-files.ts";
import { inTurn } from "../files/in-turn.ts";
import { makeFolder } from "../files/make-folder.ts";
import { ifMissing } from "../processes/error-codes.ts";
import { serialNumberOf } from "../revocation/answer-revocation.ts";
import { keepOrderedAuthority } from "../revocation/answering-authorities.ts";
import { openRevokedCertificates } from "../revocation/revoked-certificates.ts";
import { CertsRefusal } from "./certs-refusal.ts";

/** A test CA with its folder. */
export interface CaFolder {
  readonly directory: string;
  readonly ca: TestCa;
  /** Whether this command created it. */
  readonly isNew: boolean;
}

/** Subfolder while the test CA is being made. */
const MAKING = "making";
/** Exists while the subfolder is incomplete; if it remains, the command did not finish. */
const UNFINISHED = `${MAKING}.unfinished`;

/**
 * Opens the test CA in a folder, and creates one if the folder is empty or missing; refuses any other folder. Of two
 * concurrent commands, the second opens what the first has made.
 */
export async function openCaFolder(directory: string, now: Date): Promise<CaFolder> {
  const present = await readdir(directory).catch(ifMissing([]));
  if (present.some(isKept) && present.every(isKept)) return requireCaFolder(directory);
  await makeFolder(directory, 0o700).catch((cause: NodeJS.ErrnoException) => {
    throw new CertsRefusal(`${directory} cannot be made (${cause.code})`, undefined, { cause });
  });
  return inTurn(join(directory, MAKING), async () => {
    const found = await readdir(directory);
    if (found.some(isKept) && !found.includes(UNFINISHED)) return requireCaFolder(directory);
    const ca = await createTestCa(now);
    await writeFile(join(directory, UNFINISHED), "");
    await writeTestCa(directory, ca);
    await rm(join(directory, UNFINISHED));
    return { directory, ca, isNew: true };
  });
}

/** Opens the test CA in a folder; refuses if there is none. */
export async function requireCaFolder(directory: string): Promise<CaFolder> {
  await requireSandboxAnchors(directory);
  try {
    return { directory, ca: await readTestCa(directory), isNew: false };
  } catch (cause) {
    throw new CertsRefusal(`there is no test CA in ${directory}`, makeOne, { cause });
  }
}

/**
 * Writes a certificate with its chain and key, and what answers about its revocation need. If two concurrent commands issue
 * the same name, all files left belong to the same one.
 */
export async function keepIssued(
  { directory }: CaFolder,
  { name, issued, revoked, authorities }: CarriedOut,
  now: Date,
): Promise<KeyPairFiles> {
  const files = keyPairFiles(directory, `issued/${name}`);
  await makeFolder(dirname(files.certificateFile), 0o700);
  return inTurn(files.certificateFile, async () => {
    await writeKeyPair(files, issued);
    for (const authority of authorities) await keepAuthority(directory, authority, now);
    if (revoked !== undefined)
      await openRevokedCertificates(directory).revoke(serialNumberOf(issued.certificatePem), revoked, now);
    return files;
  });
}

function isKept(name: string): boolean {
  return !name.startsWith(`${MAKING}.`);
}

const makeOne = "Make one with: npm run certs -- issue aisp-pisp --out DIR";

async function keepAuthority(directory: string, { name, issued, revoked }: CarriedOut, now: Date) {
  await keepOrderedAuthority(directory, name, issued);
  if (revoked !== undefined)
    await openRevokedCertificates(directory).revoke(serialNumberOf(issued.certificatePem), revoked, now);
}

/** Requires anchors of a sandbox: a folder without them belongs to something else. */
async function requireSandboxAnchors(directory: string): Promise<void> {
  const text = await readFile(trustFiles(directory).anchorsFile, "utf8").catch(() => undefined);
  if (text === undefined)
    throw new CertsRefusal(`${directory} is not the folder of a test CA; nothing was changed in it`, makeOne);
  if (!isForSandbox(text))
    throw new CertsRefusal(`${join(directory, "anchors.json")} is not marked sandbox; nothing was changed`);
}

function isForSandbox(anchors: string): boolean {
  try {
    return parseTrustAnchors(anchors).environment === "sandbox";
  } catch (error) {
    if (error instanceof TrustAnchorFileError) return false;
    throw error;
  }
}
