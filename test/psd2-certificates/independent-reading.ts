/**
 * Reads the PSD2 statement and the subject of a certificate with `asn1js`, which shares no code with the readers under test. It
 * looks things up and judges nothing.
 */
import {
  Set as Asn1Set,
  BmpString,
  fromBER,
  ObjectIdentifier,
  OctetString,
  PrintableString,
  Sequence,
  Utf8String,
} from "asn1js";
import { expect } from "chai";
import { readPsd2Statement } from "../../packages/psd2-certificates/src/psd2/psd2-statement.ts";
import {
  readQcStatements,
  requireWebsiteType,
} from "../../packages/psd2-certificates/src/psd2/qc-statements.ts";
import {
  readOrganisationIdentifier,
  readOrganisationName,
} from "../../packages/psd2-certificates/src/psd2/subject.ts";
import { readCertificate } from "../../packages/psd2-certificates/src/x509/read-certificate.ts";

/** Content that both readers report. */
export type Reading = {
  readonly authority: { readonly id: string; readonly name: string };
  readonly roles: readonly string[];
  readonly organisationIdentifier: string;
  readonly organisationName: string;
};

/** Reads with the readers under test, without a path; refuses as they do. */
export function ourReading(der: Buffer): Reading {
  const leaf = readCertificate(der);
  const statements = readQcStatements(leaf);
  requireWebsiteType(statements);
  return {
    ...readPsd2Statement(statements),
    organisationIdentifier: readOrganisationIdentifier(leaf.subject),
    organisationName: readOrganisationName(leaf.subject),
  };
}

/** Reads with an independent ASN.1 library. For certificates that ours accepted, so it only looks things up. */
export function otherReading(der: Buffer): Reading {
  const tbs = members(members(parse(der))[0]);
  const attributes = members(tbs[5]).flatMap(members).map(members);
  const values = (oid: string) =>
    attributes.filter(([type]) => text(type) === oid).map(([, value]) => text(value));
  const extensions = members(members(tbs.at(-1))[0]).map(members);
  const qcStatements = extensions.find(([oid]) => text(oid) === "1.3.6.1.5.5.7.1.3")?.at(-1);
  const statements = members(parse(octets(qcStatements))).map(members);
  const [roles, name, id] = members(statements.find(([oid]) => text(oid) === "0.4.0.19495.2")?.[1]);
  return {
    authority: { id: text(id), name: text(name) },
    roles: members(roles)
      .map((role) => text(members(role)[1]))
      .filter((role) => /^PSP_(AS|PI|AI|IC)$/.test(role)),
    organisationIdentifier: values("2.5.4.97").join("|"),
    organisationName: values("2.5.4.10").join("|"),
  };
}

/** The other library gives up because of something that neither reader examines. */
class NoOpinion extends Error {}

function parse(der: Uint8Array): unknown {
  const { offset, result } = fromBER(Uint8Array.from(der).buffer);
  if (offset === -1) throw new NoOpinion(result.error);
  return result;
}

/** Whether the other library reads the same; it may give up, but must not read anything else. */
export function isConfirmed(der: Buffer, ours: Reading): boolean {
  try {
    expect(ours).to.deep.include(otherReading(der));
    return true;
  } catch (error) {
    if (error instanceof NoOpinion) return false;
    throw error;
  }
}

function members(node: unknown): readonly unknown[] {
  if (node instanceof Sequence || node instanceof Asn1Set) return node.valueBlock.value;
  const inside = (node as { valueBlock?: { value?: unknown } } | undefined)?.valueBlock?.value;
  return Array.isArray(inside) ? inside : [];
}

function octets(node: unknown): Uint8Array {
  return node instanceof OctetString ? node.valueBlock.valueHexView : new Uint8Array();
}

function text(node: unknown): string {
  if (node instanceof ObjectIdentifier) return node.valueBlock.toString();
  const isText = node instanceof Utf8String || node instanceof PrintableString || node instanceof BmpString;
  return isText ? node.valueBlock.value : `not a text: ${String(node)}`;
}
