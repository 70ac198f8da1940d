import type { PspRole } from "./qc-statements.ts";
import type { ExpectedRefusal } from "./tpp-profile.ts";

/** Where a certificate and its key lie, absolute paths of PEM files. */
export type CertificateFiles = { readonly certificatePath: string; readonly keyPath: string };

/** A TPP certificate of the sandbox: its files (leaf and issuing CA in one), and what it says. */
export type TppCertificate = CertificateFiles & {
  readonly name: string;
  readonly description: string;
  readonly organisationIdentifier: string;
  readonly organisationName: string;
  readonly roles: readonly PspRole[];
  readonly thumbprint: string;
  /** What is wrong with it, in a sentence; null when nothing is. */
  readonly wrong: string | null;
  readonly expectedRefusal: ExpectedRefusal | null;
};

/** Everything that the sandbox's folder of certificates holds, absolute paths. */
export type SandboxCertificates = {
  readonly directory: string;
  /** The web CA: what a TPP and a browser trust. */
  readonly caPath: string;
  /** The trust anchors for TPP certificates. */
  readonly anchorsPath: string;
  /** The private CA: what the bank's own services trust. */
  readonly privateCaPath: string;
  readonly server: Readonly<Record<"auth" | "resource" | "authBank" | "resourceBank", CertificateFiles>>;
  readonly bank: Readonly<Record<"auth" | "resource" | "operator", CertificateFiles>>;
  readonly callback: CertificateFiles;
  readonly tpp: readonly TppCertificate[];
};

/** Makes the certificates of a sandbox in a folder, or reads them back and renews what has ended. */
export async function writeSandboxCertificates(_directory: string, _now: Date): Promise<SandboxCertificates> {
  throw new TypeError("not made yet");
}
