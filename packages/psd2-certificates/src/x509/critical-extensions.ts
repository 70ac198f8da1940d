import { type Certificate, extensionOids } from "./certificate.ts";

/**
 * Critical extensions that are processed (RFC 5280 4.2). subjectAltName never decides anything here, because identity
 * comes from the subject; policies neither, because every policy is acceptable. What limits a path further (name
 * constraints, policy constraints) is not evaluated, so it must refuse.
 */
const processed: ReadonlySet<string> = new Set([
  extensionOids.keyUsage,
  extensionOids.subjectAltName,
  extensionOids.basicConstraints,
  extensionOids.certificatePolicies,
  extensionOids.extKeyUsage,
]);

/** The first critical extension that is not processed; undefined when there is none. */
export function unsupportedExtension({ extensions }: Certificate): string | undefined {
  for (const [oid, { critical }] of extensions) if (critical && !processed.has(oid)) return oid;
  return undefined;
}
