import { createPrivateKey, X509Certificate } from "node:crypto";
import type { IssuedCertificate } from "./issue-certificate.ts";
import { keyPairFiles, readKeyPair, writeKeyPair } from "./key-pair-files.ts";
import type { TestCa } from "./test-ca.ts";
import { isStillAsMeant, validityOf } from "./validity.ts";
import type { WantedCertificate } from "./wanted-certificates.ts";

/** Reads back a certificate of the sandbox, or issues it if it is missing, unusable or out of date. */
export async function keepCertificate(
  wanted: WantedCertificate,
  directory: string,
  { ca, now }: { readonly ca: TestCa; readonly now: Date },
): Promise<IssuedCertificate> {
  const files = keyPairFiles(directory, wanted.name);
  // A start that was killed between two files leaves only one; anything unreadable is made again.
  const present = await readKeyPair(files).catch(() => undefined);
  if (present !== undefined && isUsable(present, wanted.issuer(ca)) && namesSources(present, wanted)) {
    const validity = validityOf(new X509Certificate(present.certificatePem));
    if (isStillAsMeant(validity, wanted.validity, now)) return present;
  }
  const issued = await wanted.issue(ca, now);
  await writeKeyPair(files, issued);
  return issued;
}

function isUsable(present: IssuedCertificate, issuer: IssuedCertificate): boolean {
  const certificate = new X509Certificate(present.certificatePem);
  const authority = new X509Certificate(issuer.certificatePem);
  return (
    certificate.checkPrivateKey(createPrivateKey(present.privateKeyPem)) &&
    certificate.verify(authority.publicKey)
  );
}

/** Whether a certificate names the wanted sources: a responder on another port could not be asked. */
function namesSources(present: IssuedCertificate, { sources }: WantedCertificate): boolean {
  const named = new X509Certificate(present.certificatePem).infoAccess ?? "";
  return sources?.ocsp === undefined || named.trim().endsWith(`URI:${sources.ocsp}`);
}
