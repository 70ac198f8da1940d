import { CertificateRefusal } from "../certificate-refusal.ts";
import { type DerElement, membersOf, readDer, tags } from "../der/der-element.ts";
import { readOid } from "../der/der-values.ts";
import { readingAs } from "../der/reading-as.ts";
import { type Certificate, extensionOids } from "../x509/certificate.ts";

/** One statement with its information, if any (RFC 3739 3.2.6). */
export interface QcStatement {
  readonly id: string;
  readonly info: DerElement | undefined;
}

/** Identifiers of the statements that are read (ETSI EN 319 412-5 4.2, ETSI TS 119 495 annex A). */
export const qcStatementIds = {
  compliance: "0.4.0.1862.1.1",
  type: "0.4.0.1862.1.6",
  legislation: "0.4.0.1862.1.7",
  psd2: "0.4.0.19495.2",
} as const;

const qcTypeWeb = "0.4.0.1862.1.6.3";

/** Reads the qcStatements extension. Refuses with `psd2_statement_missing` or `psd2_statement_malformed`. */
export function readQcStatements({ extensions }: Certificate): readonly QcStatement[] {
  const extension = extensions.get(extensionOids.qcStatements);
  if (extension === undefined)
    throw new CertificateRefusal("psd2_statement_missing", "no qcStatements extension");
  return readingAs("psd2_statement_malformed", () =>
    membersOf(readDer(extension.value), tags.sequence, { min: 1 }).map((member) => {
      const [id, info] = membersOf(member, tags.sequence, { min: 1, max: 2 });
      return { id: readOid(id), info };
    }),
  );
}

/** Finds the statement of this kind; two of them are refused with `psd2_statement_malformed` (EN 319 412-5 QCS-4.1-02A). */
export function findQcStatement(statements: readonly QcStatement[], id: string): QcStatement | undefined {
  const found = statements.filter((statement) => statement.id === id);
  if (found.length > 1)
    throw new CertificateRefusal("psd2_statement_malformed", `the statement ${id} occurs twice`);
  return found[0];
}

/**
 * Refuses with `not_qualified`. RTS (EU) 2018/389 Article 34 requires a certificate that is qualified under the law of the EU.
 * EN 319 412-5 expresses that by QcCompliance (4.2.1) without QcCClegislation (4.2.4), which would name another law.
 */
export function requireQualified(statements: readonly QcStatement[]): void {
  if (findQcStatement(statements, qcStatementIds.compliance) === undefined)
    throw new CertificateRefusal("not_qualified", "no QcCompliance statement");
  if (findQcStatement(statements, qcStatementIds.legislation) !== undefined)
    throw new CertificateRefusal(
      "not_qualified",
      "QcCClegislation is present, so the certificate is not qualified under the law of the EU",
    );
}

/** Refuses with `qc_type_not_web` unless QcType is web and nothing else (EN 319 412-5 4.2.3): a seal is not a QWAC. */
export function requireWebsiteType(statements: readonly QcStatement[]): void {
  const statement = findQcStatement(statements, qcStatementIds.type);
  const types = readingAs("qc_type_not_web", () =>
    statement === undefined ? [] : membersOf(statement.info, tags.sequence).map(readOid),
  );
  if (types.length !== 1 || types[0] !== qcTypeWeb)
    throw new CertificateRefusal("qc_type_not_web", `QcType is [${types.join(", ")}] instead of web alone`);
}
