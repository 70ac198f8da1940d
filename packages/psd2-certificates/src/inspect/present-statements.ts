import type { Knowledge } from "../certificate-check.ts";
import { type DerElement, DerFault, membersOf, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import { type QcStatement, qcStatementIds } from "../psd2/qc-statements.ts";
import { extensionOids } from "../x509/certificate.ts";
import { nameOfOid } from "./known-oids.ts";
import { readableText } from "./present-leaf.ts";

type Known = Partial<Knowledge>;

/** Presents the identifiers of all statements. */
export function presentStatements({ leaf, statements }: Known): string | undefined {
  if (statements !== undefined) return statements.map(({ id }) => nameOfOid(id)).join(", ");
  const extension = leaf?.extensions.get(extensionOids.qcStatements);
  if (extension === undefined) return leaf && `no extension ${nameOfOid(extensionOids.qcStatements)}`;
  return `octets ${extension.value.toString("hex")}`;
}

/** Presents the law under which the certificate claims to be qualified. */
export function presentQualification({ statements }: Known): string | undefined {
  const compliance = statements?.some(({ id }) => id === qcStatementIds.compliance);
  const legislation = infosOf(statements, qcStatementIds.legislation);
  const law = legislation.length === 0 ? "absent" : legislation.map(presentTree).join(", ");
  return statements && `QcCompliance ${compliance ? "present" : "absent"}, QcCClegislation ${law}`;
}

/** Presents the types that the certificate claims. */
export function presentQcType({ statements }: Known): string | undefined {
  const types = infosOf(statements, qcStatementIds.type).map(presentTree).join(", ");
  return statements && (types || "no QcType");
}

/** Presents roles and authority as in the statement, right or wrong. */
export function presentPsd2Statement({ statements }: Known): string | undefined {
  const found = infosOf(statements, qcStatementIds.psd2).map(presentTree).join(", ");
  return statements && (found || "no PSD2 statement with a value");
}

function infosOf(
  statements: readonly QcStatement[] | undefined,
  id: string,
): readonly (DerElement | undefined)[] {
  return statements?.filter((statement) => statement.id === id).map(({ info }) => info) ?? [];
}

/** Presents identifiers and texts with their nesting, to show what is wrong: `[[PSP_AI …]]`. */
function presentTree(element: DerElement | undefined): string {
  if (element === undefined) return "without a value";
  try {
    return presentNode(element);
  } catch (error) {
    if (error instanceof DerFault) return `octets ${element.encoded.toString("hex")}`;
    throw error;
  }
}

const depthLimit = 8;

function presentNode(element: DerElement, depth = 0): string {
  if (depth > depthLimit) throw new DerFault("nested too deeply");
  if (element.tag === tags.oid) return nameOfOid(readOid(element));
  if (element.tag !== tags.sequence) return `"${readableText(element)}"`;
  return `[${membersOf(element, tags.sequence)
    .map((member) => presentNode(member, depth + 1))
    .join(", ")}]`;
}
