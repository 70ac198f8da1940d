/** The changes that the tables of defects and oddities consist of; each alters one part of a valid order. */
import {
  type CertificateExtension,
  extensionOids,
  qcStatements,
  replaceExtension,
  withoutExtension,
} from "../certificate-extension.ts";
import { type CertificateOrder, orderOfAuthority, under } from "../certificate-order.ts";
import type { NameAttribute, PlannedExtension } from "../certificate-plan.ts";
import { derOid, derSequence, derTime, derUtf8String } from "../der.ts";
import { readDerElements } from "../der-elements.ts";
import { psd2StatementOid } from "../qc-statements.ts";
import { subjectOids } from "../subject-attribute.ts";
import type { Change } from "./defect.ts";

const minuteMilliseconds = 60_000;

/** An instant some minutes after the order, in DER. */
export function minutesFrom({ now }: CertificateOrder, minutes: number): Uint8Array {
  return derTime(new Date(now.getTime() + minutes * minuteMilliseconds));
}

/** Replaces the extension with the same identifier, or adds it. */
export function extended(extension: PlannedExtension): Change {
  return (right) => ({ extensions: replaceExtension(right.extensions, extension) });
}

/** Removes the extensions with these identifiers. */
export function without(...oids: readonly string[]): Change {
  return (right) => ({ extensions: oids.reduce(withoutExtension, right.extensions) });
}

/** Marks an extension as critical. */
export function critical(oid: string): Change {
  return (right) => ({
    extensions: right.extensions.map((each) => (each.oid === oid ? { ...each, critical: true } : each)),
  });
}

/** Replaces an attribute of the subject. */
export function attributed(oid: string, ...values: readonly Uint8Array[]): Change {
  return ({ subject }) => ({
    subject: subject.flatMap((each) => (each.oid === oid ? values.map((value) => ({ oid, value })) : [each])),
  });
}

/** Changes the text of the organisation identifier. */
export function identified(change: (right: string) => string): Change {
  return (right) =>
    attributed(
      subjectOids.organizationIdentifier,
      derUtf8String(change(textOf(right.subject, subjectOids.organizationIdentifier))),
    )(right);
}

/** The text of an attribute that is a UTF8String. */
export function textOf(subject: readonly NameAttribute[], oid: string): string {
  const value = subject.find((each) => each.oid === oid)?.value;
  return readDerElements(Buffer.from(value ?? []))[0]?.contents.toString("utf8") ?? "";
}

/** Changes the list of QC statements, each given with its identifier and its whole DER. */
export function stating(change: (right: readonly Statement[]) => readonly Uint8Array[]): Change {
  return (right) => extended(qcStatements(derSequence(...change(statementsOf(right)))))(right);
}

/** Replaces the statement with this identifier, or removes it if no other is given. */
export function restating(oid: string, ...statements: readonly Uint8Array[]): Change {
  const wanted = derOid(oid);
  return stating((right) => right.flatMap(({ id, encoded }) => (id.equals(wanted) ? statements : [encoded])));
}

/** Adds statements at the end. */
export function statingToo(...statements: readonly Uint8Array[]): Change {
  return stating((right) => [...right.map(({ encoded }) => encoded), ...statements]);
}

/** Changes the members of the PSD2 statement: rolesOfPSP, nCAName and nCAId. */
export function licensed(change: (right: readonly Uint8Array[]) => readonly Uint8Array[]): Change {
  return (right) => {
    const members = psd2MembersOf(right);
    const statement = derSequence(derOid(psd2StatementOid), derSequence(...change(members)));
    return restating(psd2StatementOid, statement)(right);
  };
}

/** Replaces the roles in the PSD2 statement. */
export function playing(...roles: readonly Uint8Array[]): Change {
  return licensed(([, ...authority]) => [derSequence(...roles), ...authority]);
}

/** A RoleOfPSP with any number and name. */
export function role(number: number, name: string): Uint8Array {
  return derSequence(derOid(`0.4.0.19495.1.${number}`), derUtf8String(name));
}

/** Inserts an authority between the issuing one and the certificate, with one change in it. */
export function belowAuthority(
  change: Change,
  { presented = true }: { readonly presented?: boolean } = {},
): Change {
  return (right) => {
    const authority = orderOfAuthority(`${right.name}.issuer`, right);
    return under(right, { ...authority, ...change(authority) }, presented);
  };
}

/** Alters the last octet, which belongs to the signature. */
export function flipLastOctet(der: Buffer): Buffer {
  const altered = Buffer.from(der);
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 0x01;
  return altered;
}

/** Changes nothing. */
export const asItIs: Change = () => ({});

type Statement = { readonly id: Buffer; readonly encoded: Buffer };

function statementsOf({ extensions }: CertificateOrder): readonly Statement[] {
  return membersIn(extensionValue(extensions, extensionOids.qcStatements)).map(({ encoded, contents }) => ({
    id: readDerElements(contents)[0]?.encoded ?? Buffer.alloc(0),
    encoded,
  }));
}

function psd2MembersOf(right: CertificateOrder): readonly Uint8Array[] {
  const wanted = derOid(psd2StatementOid);
  const statement = statementsOf(right).find(({ id }) => id.equals(wanted))?.encoded;
  const [, info] = membersIn(statement);
  return membersIn(info?.encoded).map(({ encoded }) => encoded);
}

function membersIn(octets: Buffer | undefined) {
  return readDerElements(readDerElements(octets)[0]?.contents);
}

function extensionValue(extensions: readonly CertificateExtension[], oid: string): Buffer | undefined {
  const value = extensions.find((each) => each.oid === oid)?.value;
  return value === undefined ? undefined : Buffer.from(value);
}
