/**
 * A sandbox's folder of certificates: test authorities, servers, the bank's callers, and a TPP certificate per profile of
 * `certs/`. It owns the layout, and renews what has expired. The files beside it decide what a certificate says. Nothing in it
 * may be used or trusted outside a sandbox.
 */
import { access, mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { KeyPairFiles } from "@cobs/service-edge";
import { flushFolder } from "../files/write-whole.ts";
import { keepCertificate } from "./keep-certificate.ts";
import { keyPairFiles } from "./key-pair-files.ts";
import type { PspRole } from "./qc-statements.ts";
import { readTppProfiles } from "./read-tpp-profiles.ts";
import { createTestCa } from "./test-ca.ts";
import { keepAnchors, readTestCa, trustFiles, writeTestCa } from "./test-ca-files.ts";
import type { RevocationSources } from "./tpp-certificate.ts";
import type { ExpectedRefusal, TppProfile } from "./tpp-profile.ts";
import { machineCertificates, tppCertificate } from "./wanted-certificates.ts";

/** A TPP certificate of the sandbox: its files (the certificate comes with its issuing CA) and its content. */
export type TppCertificate = KeyPairFiles & {
  readonly name: string;
  readonly description: string;
  readonly organisationIdentifier: string;
  readonly organisationName: string;
  readonly roles: readonly PspRole[];
  /** `x5t#S256` of RFC 8705 3.1. */
  readonly thumbprint: string;
  /** What is wrong with it, in a sentence; null if it is valid. */
  readonly wrong: string | null;
  readonly expectedRefusal: ExpectedRefusal | null;
};

/** Everything in the folder; paths are absolute if the folder's is. */
export type SandboxCertificates = {
  readonly directory: string;
  /** The web CA, which TPPs and browsers trust. */
  readonly caFile: string;
  /** The trust anchors for TPP certificates. */
  readonly anchorsFile: string;
  /** The private CA, which the bank's own services trust. */
  readonly privateCaFile: string;
  readonly server: Readonly<Record<"auth" | "resource" | "authBank" | "resourceBank", KeyPairFiles>>;
  /** Callers of the bank's listeners; the common name of each certificate is the caller's name. */
  readonly bank: Readonly<Record<"auth" | "resource" | "operator", KeyPairFiles>>;
  /** The server certificate of the TPP command line's callback. */
  readonly callback: KeyPairFiles;
  /** One per profile, the valid ones first. */
  readonly tpp: readonly TppCertificate[];
};

/**
 * Makes the certificates of a sandbox in `directory`, or reads them back and reissues what is missing or expired. With
 * `sources`, TPP certificates name where revocation is checked. The folder appears whole at the first start; later each file
 * is replaced whole. One caller at a time.
 */
export async function writeSandboxCertificates(
  directory: string,
  now: Date,
  sources?: RevocationSources,
): Promise<SandboxCertificates> {
  const wanted = { profiles: await readTppProfiles(), sources };
  if (!(await exists(trustFiles(directory).caFile))) {
    const unfinished = `${directory}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await writeTestCa(unfinished, await createTestCa(now));
    await keepAll(unfinished, wanted, now);
    await rename(unfinished, directory);
    await flushFolder(dirname(directory));
  }
  return presentCertificates(directory, await keepAll(directory, wanted, now));
}

interface WantedTppCertificates {
  readonly profiles: readonly TppProfile[];
  readonly sources: RevocationSources | undefined;
}

async function keepAll(
  directory: string,
  { profiles, sources }: WantedTppCertificates,
  now: Date,
): Promise<readonly TppCertificate[]> {
  const under = { ca: await readTestCa(directory), now };
  await keepAnchors(directory, under.ca);
  await Promise.all(machineCertificates.map((wanted) => keepCertificate(wanted, directory, under)));
  return Promise.all(
    profiles.map(async (profile) => {
      const wanted = tppCertificate(profile, sources);
      const { thumbprint } = await keepCertificate(wanted, directory, under);
      return { ...presentProfile(profile), ...keyPairFiles(directory, wanted.name), thumbprint };
    }),
  );
}

function presentProfile(profile: TppProfile) {
  const { name, description, organisation, roles, wrong, expectedRefusal } = profile;
  const organisationName = organisation.name;
  const { organisationIdentifier } = organisation;
  return { name, description, organisationIdentifier, organisationName, roles, wrong, expectedRefusal };
}

function presentCertificates(directory: string, tpp: readonly TppCertificate[]): SandboxCertificates {
  const files = (name: string) => keyPairFiles(directory, name);
  return {
    directory,
    ...trustFiles(directory),
    server: {
      auth: files("server/auth"),
      resource: files("server/resource"),
      authBank: files("server/auth-bank"),
      resourceBank: files("server/resource-bank"),
    },
    bank: { auth: files("bank/auth"), resource: files("bank/resource"), operator: files("bank/operator") },
    callback: files("callback/callback"),
    tpp,
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
