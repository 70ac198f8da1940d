import { type Certificate, extensionOids } from "./certificate.ts";

/**
 * Critical extensions that are processed (RFC 5280 4.2). subjectAltName never decides anything here, because identity comes
 * from the subject; nor do policies, because every policy is acceptable. Further limits on a path (name constraints, policy
 * constraints) are not evaluated, so they must cause a refusal.
 */
const processed: ReadonlySet<string> = new Set([
  extensionOids.keyUsage,
  extensionOids.subjectAltName,
  extensionOids.basicConstraints,
  extensionOids.certificatePolicies,
  extensionOids.extKeyUsage,
]);

/** Finds the first critical extension that is not processed; undefined if there is none. */
export function unsupportedExtension({ extensions }: Certificate): string | undefined {
  for (const [oid, { critical }] of extensions) if (critical && !processed.has(oid)) return oid;
  return undefined;
}
