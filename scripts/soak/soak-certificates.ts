import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { IssuedCertificate } from "../../packages/sandbox/src/certificates/issue-certificate.ts";
import {
  type SandboxCertificates,
  writeSandboxCertificates,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { readTestCa } from "../../packages/sandbox/src/certificates/test-ca-files.ts";
import { issueTppCertificate } from "../../packages/sandbox/src/certificates/tpp-certificate.ts";
import { parseTppProfile } from "../../packages/sandbox/src/certificates/tpp-profile.ts";

/** A TPP of the soak, with its own certificate. */
export interface SoakTpp {
  readonly organisationIdentifier: string;
  readonly certificate: IssuedCertificate;
}

const PROFILE = join(import.meta.dirname, "../../certs/aisp-pisp.json");

/** Issues the certificates of a sandbox in a folder, and those of a number of further TPPs. */
export async function issueForSoak(
  folder: string,
  tpps: number,
): Promise<{ readonly sandbox: SandboxCertificates; readonly tpps: readonly SoakTpp[] }> {
  const now = new Date();
  const sandbox = await writeSandboxCertificates(folder, now);
  const ca = await readTestCa(folder);
  const profile = parseTppProfile(JSON.parse(await readFile(PROFILE, "utf8")), PROFILE);
  const issue = async (place: number): Promise<SoakTpp> => {
    const organisationIdentifier = `PSDCZ-CNB-${88_000_000 + place}`;
    const organisation = { ...profile.organisation, name: `Soak ${place}`, organisationIdentifier };
    const own = { ...profile, name: `soak-${place}`, organisation };
    return { organisationIdentifier, certificate: await issueTppCertificate(ca, own, { now }) };
  };
  return { sandbox, tpps: await Promise.all(Array.from({ length: tpps }, (_, place) => issue(place))) };
}
