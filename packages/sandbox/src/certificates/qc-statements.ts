import { derOid, derSequence, derUtf8String } from "./der.ts";

/** The names of RoleOfPSP (ETSI TS 119 495 clause 5.1), as certificates spell them. */
export const pspRoles = ["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"] as const;

/** One of those names. */
export type PspRole = (typeof pspRoles)[number];

/** The QcTypes of EN 319 412-5 clause 4.2.3: `web` makes a QWAC, `eseal` a QSealC. */
export const qcTypes = ["esign", "eseal", "web"] as const;

/** One of those types. */
export type QcType = (typeof qcTypes)[number];

/** A competent authority: nCAId such as `CZ-CNB`, and nCAName, its Latin name for display. */
export type CompetentAuthority = { readonly id: string; readonly name: string };

/** Content of the PSD2 statement (ETSI TS 119 495 clause 5.1). */
export type Psd2Statement = { readonly roles: readonly PspRole[]; readonly authority: CompetentAuthority };

/** Identifies QcCompliance (ETSI EN 319 412-5 4.2.1). */
export const qcComplianceOid = "0.4.0.1862.1.1";
/** Identifies QcType (ETSI EN 319 412-5 4.2.3); its values are arcs below it. */
export const qcTypeOid = "0.4.0.1862.1.6";
/** Identifies the PSD2 statement (ETSI TS 119 495 annex A). */
export const psd2StatementOid = "0.4.0.19495.2";

const qcTypeOids: Readonly<Record<QcType, string>> = {
  esign: "0.4.0.1862.1.6.1",
  eseal: "0.4.0.1862.1.6.2",
  web: "0.4.0.1862.1.6.3",
};

/** The object identifier of each role (ETSI TS 119 495 clause 5.1). */
export const pspRoleOids: Readonly<Record<PspRole, string>> = {
  PSP_AS: "0.4.0.19495.1.1",
  PSP_PI: "0.4.0.19495.1.2",
  PSP_AI: "0.4.0.19495.1.3",
  PSP_IC: "0.4.0.19495.1.4",
};

/** DER value of a qcStatements extension: qualified, of one QcType, with a PSD2 statement if given. */
export function encodeQcStatements(qcType: QcType, psd2?: Psd2Statement): Uint8Array {
  const general = [
    derSequence(derOid(qcComplianceOid)),
    derSequence(derOid(qcTypeOid), derSequence(derOid(qcTypeOids[qcType]))),
  ];
  return derSequence(...general, ...(psd2 === undefined ? [] : [encodePsd2Statement(psd2)]));
}

/** DER of one QCStatement that holds the PSD2 statement; each RoleOfPSP is its own SEQUENCE. */
export function encodePsd2Statement(psd2: Psd2Statement): Uint8Array {
  const roles = psd2.roles.map((role) => derSequence(derOid(pspRoleOids[role]), derUtf8String(role)));
  const info = derSequence(
    derSequence(...roles),
    derUtf8String(psd2.authority.name),
    derUtf8String(psd2.authority.id),
  );
  return derSequence(derOid(psd2StatementOid), info);
}
