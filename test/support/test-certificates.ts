import { join } from "node:path";
import {
  type SandboxCertificates,
  writeSandboxCertificates,
} from "../../packages/sandbox/src/certificates/sandbox-certificates.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const EARLIER_MILLISECONDS = 120_000;

let certificates: Promise<SandboxCertificates> | undefined;

/** The certificates of a sandbox, issued once per test run and never changed; their folder is removed with the process. */
export function testCertificates(): Promise<SandboxCertificates> {
  certificates ??= issueCertificates();
  return certificates;
}

function issueCertificates(): Promise<SandboxCertificates> {
  const { path } = temporaryFolder();
  // Valid from a little earlier, so that they are also valid by a clock that was stopped before they were issued.
  return writeSandboxCertificates(join(path, "certificates"), new Date(Date.now() - EARLIER_MILLISECONDS));
}
