import { CertificateRefusal } from "../certificate-refusal.ts";
import { type DerElement, membersOf, tags } from "../der/der-element.ts";
import { readUtf8String } from "../der/der-text.ts";
import { readOid } from "../der/der-values.ts";
import { readingAs } from "../der/reading-as.ts";
import type { CompetentAuthority, Psd2Role } from "../tpp-identity.ts";
import { findQcStatement, type QcStatement, qcStatementIds } from "./qc-statements.ts";

/** Contents of the PSD2 statement: who licensed the TPP, and as what. There are no roles if they are unspecified. */
export interface Psd2Statement {
  readonly authority: CompetentAuthority;
  readonly roles: readonly Psd2Role[];
}

const unspecified = "Unspecified";

/**
 * Roles by object identifier, each with the name that must accompany it (ETSI TS 119 495 V1.8.1 GEN-5.2.2-2 to -5). Those of
 * central banks, public authorities and verification of payee are known, so that a certificate with them can be read, but they
 * grant nothing here.
 */
const roles: ReadonlyMap<string, { readonly name: string; readonly grants: readonly Psd2Role[] }> = new Map([
  ["0.4.0.19495.1.0", { name: unspecified, grants: [] }],
  ["0.4.0.19495.1.1", { name: "PSP_AS", grants: ["PSP_AS"] }],
  ["0.4.0.19495.1.2", { name: "PSP_PI", grants: ["PSP_PI"] }],
  ["0.4.0.19495.1.3", { name: "PSP_AI", grants: ["PSP_AI"] }],
  ["0.4.0.19495.1.4", { name: "PSP_IC", grants: ["PSP_IC"] }],
  ["0.4.0.19495.1.5", { name: "PSP_CB", grants: [] }],
  ["0.4.0.19495.1.6", { name: "PSP_PA", grants: [] }],
  ["0.4.0.19495.1.51", { name: "VOP_RS", grants: [] }],
  ["0.4.0.19495.1.52", { name: "VOP_VS", grants: [] }],
]);

/** GEN-5.2.3-2: country, hyphen, and 2 to 8 capitals. */
const authorityForm = /^[A-Z]{2}-[A-Z]{2,8}$/;

/**
 * Reads the PSD2 statement (ETSI TS 119 495 5.1, annex A). Refuses with `psd2_statement_missing`,
 * `psd2_statement_malformed`, `role_unknown` or `role_name_mismatch`.
 */
export function readPsd2Statement(statements: readonly QcStatement[]): Psd2Statement {
  const statement = findQcStatement(statements, qcStatementIds.psd2);
  if (statement === undefined)
    throw new CertificateRefusal(
      "psd2_statement_missing",
      "qcStatements has no PSD2 statement (0.4.0.19495.2)",
    );
  return readingAs("psd2_statement_malformed", () => {
    const [rolesOfPsp, name, id] = membersOf(statement.info, tags.sequence, { min: 3, max: 3 });
    const authority = { id: readAuthorityId(id), name: readUtf8String(name) };
    return { authority: Object.freeze(authority), roles: readRoles(rolesOfPsp) };
  });
}

/** GEN-5.2.2-1: at least one role; each at most once; the unspecified one stands alone. */
function readRoles(rolesOfPsp: DerElement | undefined): readonly Psd2Role[] {
  const found = membersOf(rolesOfPsp, tags.sequence, { min: 1 }).map(readRole);
  if (new Set(found).size !== found.length) throw malformed("a role occurs twice");
  if (found.length > 1 && found.some(({ name }) => name === unspecified))
    throw malformed("the role Unspecified occurs beside others");
  return Object.freeze(found.flatMap(({ grants }) => grants));
}

/**
 * Exactly two members per role: otherwise a certificate that lists the identifiers and names of all its roles in one sequence
 * would pass with only the first role.
 */
function readRole(element: DerElement) {
  const [identifier, label] = membersOf(element, tags.sequence, { min: 2, max: 2 });
  const oid = readOid(identifier);
  const name = readUtf8String(label);
  const role = roles.get(oid);
  if (role === undefined) throw new CertificateRefusal("role_unknown", `role ${oid} named ${name}`);
  if (role.name !== name) throw new CertificateRefusal("role_name_mismatch", `role ${oid} named ${name}`);
  return role;
}

function readAuthorityId(element: DerElement | undefined): string {
  const id = readUtf8String(element);
  if (!authorityForm.test(id)) throw malformed(`nCAId is not of the form CC-AUTHORITY: ${id}`);
  return id;
}

function malformed(detail: string): CertificateRefusal {
  return new CertificateRefusal("psd2_statement_malformed", detail);
}
