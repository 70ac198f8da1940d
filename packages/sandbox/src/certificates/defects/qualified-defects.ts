import { extensionOids, qcStatements } from "../certificate-extension.ts";
import { derElement, derOid, derSequence, derSmallInteger, derUtf8String } from "../der.ts";
import { derPrintableString } from "../der-strings.ts";
import { psd2StatementOid, qcComplianceOid, qcTypeOid } from "../qc-statements.ts";
import { extended, restating, stating, statingToo, without } from "./changes.ts";
import { type Defect, refusedWith } from "./defect.ts";

const typed = (...types: readonly number[]) =>
  derSequence(derOid(qcTypeOid), derSequence(...types.map((number) => derOid(`${qcTypeOid}.${number}`))));
const legislation = (...countries: readonly string[]) =>
  derSequence(derOid("0.4.0.1862.1.7"), derSequence(...countries.map(derPrintableString)));
const typeClause = "ETSI EN 319 412-5 4.2.3";

/** Table: defects in the statements of a qualified certificate, except inside the PSD2 statement. */
export const qualifiedDefects: readonly Defect[] = [
  ...refusedWith("not_qualified", [
    [
      "no-qc-compliance",
      "It does not say that it is an EU qualified certificate.",
      "ETSI EN 319 412-5 4.2.1",
      restating(qcComplianceOid),
    ],
    [
      "legislation-of-another-country",
      "It is qualified under the legislation of the United Kingdom.",
      "ETSI EN 319 412-5 4.2.4",
      statingToo(legislation("GB")),
    ],
    [
      "legislation-of-two-countries",
      "It is qualified under the legislation of two other countries.",
      "ETSI EN 319 412-5 4.2.4",
      statingToo(legislation("GB", "CH")),
    ],
  ]),
  ...refusedWith("qc_type_not_web", [
    ["qsealc", "It is a QSealC.", typeClause, restating(qcTypeOid, typed(2))],
    ["signature-certificate", "It is for signatures of persons.", typeClause, restating(qcTypeOid, typed(1))],
    [
      "web-and-seal",
      "It is for websites and for seals at once.",
      typeClause,
      restating(qcTypeOid, typed(3, 2)),
    ],
    ["web-twice", "It is for websites twice.", typeClause, restating(qcTypeOid, typed(3, 3))],
    ["qc-type-unknown", "Its QcType is unknown.", typeClause, restating(qcTypeOid, typed(9))],
    ["qc-type-missing", "It has no QcType.", typeClause, restating(qcTypeOid)],
    ["qc-type-empty", "Its QcType is an empty list.", typeClause, restating(qcTypeOid, typed())],
    [
      "qc-type-without-value",
      "Its QcType has no value.",
      typeClause,
      restating(qcTypeOid, derSequence(derOid(qcTypeOid))),
    ],
    [
      "qc-type-no-list",
      "Its QcType is an identifier, not a list of them.",
      typeClause,
      restating(qcTypeOid, derSequence(derOid(qcTypeOid), derOid(`${qcTypeOid}.3`))),
    ],
    [
      "qc-type-no-der",
      "The list of its QcType ends in the middle of an identifier.",
      "X.690 8.1.3",
      restating(qcTypeOid, derSequence(derOid(qcTypeOid), derElement(0x30, Buffer.from([0x06, 0x09, 0x04])))),
    ],
  ]),
  ...refusedWith("psd2_statement_missing", [
    [
      "no-qc-statements",
      "It has no QC statements.",
      "ETSI TS 119 495 5.1",
      without(extensionOids.qcStatements),
    ],
    [
      "no-psd2-statement",
      "It has QC statements, and no PSD2 statement among them.",
      "ETSI TS 119 495 5.1",
      restating(psd2StatementOid),
    ],
    [
      "psd2-statement-under-another-oid",
      "Its PSD2 statement has an unknown identifier.",
      "ETSI TS 119 495 annex A",
      stating((right) => right.map(({ encoded }) => underAnotherOid(encoded))),
    ],
  ]),
  ...refusedWith("psd2_statement_malformed", [
    [
      "psd2-statement-twice",
      "It has two PSD2 statements.",
      "ETSI EN 319 412-5 QCS-4.1-02A",
      stating((right) => [...right, ...right.slice(-1)].map(({ encoded }) => encoded)),
    ],
    ["qc-type-twice", "It has two QcTypes.", "ETSI EN 319 412-5 QCS-4.1-02A", statingToo(typed(3))],
    [
      "statement-of-three-members",
      "One of its statements has three members.",
      "RFC 3739 3.2.6",
      statingToo(derSequence(derOid("1.2.3"), derSmallInteger(1), derSmallInteger(1))),
    ],
    [
      "qc-statements-no-list",
      "Its QC statements are a string.",
      "RFC 3739 3.2.6",
      extended(qcStatements(derUtf8String("web"))),
    ],
    [
      "qc-statements-empty",
      "Its QC statements are an empty list.",
      "RFC 3739 3.2.6",
      extended(qcStatements(derSequence())),
    ],
    [
      "octets-after-statements",
      "Octets follow its QC statements.",
      "X.690 10.1",
      (right) => ({
        extensions: right.extensions.map((each) =>
          each.oid === extensionOids.qcStatements
            ? { ...each, value: Buffer.concat([each.value, derSmallInteger(1)]) }
            : each,
        ),
      }),
    ],
  ]),
];

/** Changes the last arc of the PSD2 statement's identifier. */
function underAnotherOid(statement: Buffer): Buffer {
  const oid = Buffer.from(derOid(psd2StatementOid));
  const at = statement.indexOf(oid);
  if (at === -1) return statement;
  const altered = Buffer.from(statement);
  altered[at + oid.length - 1] = 0x63;
  return altered;
}
