import { contentsOf, type DerElement, DerFault, membersOf, readDer, tags } from "../der/der-element.ts";
import { readBoolean, readNamedBits, readOid, readSmallInteger } from "../der/der-values.ts";
import { type Certificate, type Extension, extensionOids } from "./certificate.ts";

/** Reads the extensions of a certificate from their wrapper. Throws a `DerFault`, as all readers here do. */
export function readExtensions(wrapper: DerElement | undefined): ReadonlyMap<string, Extension> {
  return readExtensionList(membersOf(wrapper, tags.constructed(3), { min: 1, max: 1 })[0]);
}

/** Reads a list of extensions, none of which may occur twice (RFC 5280 4.2). */
export function readExtensionList(list: DerElement | undefined): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>();
  for (const member of membersOf(list, tags.sequence, { min: 1 })) {
    const { oid, ...extension } = readExtension(member);
    if (extensions.has(oid)) throw new DerFault(`the extension ${oid} occurs twice`);
    extensions.set(oid, extension);
  }
  return extensions;
}

/** An explicit `critical FALSE` violates DER, which omits defaults, but is too common in the field to refuse. */
function readExtension(element: DerElement): Extension & { readonly oid: string } {
  const members = membersOf(element, tags.sequence, { min: 2, max: 3 });
  const critical = members.length === 3 && readBoolean(members[1]);
  return { oid: readOid(members[0]), critical, value: contentsOf(members.at(-1), tags.octetString) };
}

/** Reads basicConstraints (RFC 5280 4.2.1.9): the path length of an authority, undefined for any other certificate. */
export function readAuthority(extensions: ReadonlyMap<string, Extension>): Certificate["authority"] {
  const extension = extensions.get(extensionOids.basicConstraints);
  if (extension === undefined) return undefined;
  const members = [...membersOf(readDer(extension.value), tags.sequence, { max: 2 })];
  const isAuthority = members[0]?.tag === tags.boolean && readBoolean(members.shift());
  const pathLength = members.length === 0 ? Number.POSITIVE_INFINITY : readSmallInteger(members.shift());
  if (members.length > 0) throw new DerFault("basicConstraints has unexpected fields");
  return isAuthority ? { pathLength } : undefined;
}

/** Reads keyUsage (RFC 5280 4.2.1.3): the bits that are set. */
export function readKeyUsage(extensions: ReadonlyMap<string, Extension>): Certificate["keyUsage"] {
  const extension = extensions.get(extensionOids.keyUsage);
  return extension === undefined ? undefined : readNamedBits(readDer(extension.value));
}

/** Reads extKeyUsage (RFC 5280 4.2.1.12): the identifiers of the purposes. */
export function readPurposes(extensions: ReadonlyMap<string, Extension>): Certificate["purposes"] {
  const extension = extensions.get(extensionOids.extKeyUsage);
  if (extension === undefined) return undefined;
  return new Set(membersOf(readDer(extension.value), tags.sequence, { min: 1 }).map(readOid));
}
