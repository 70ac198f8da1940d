import { jsonMembers } from "../files/json-members.ts";
import { type Purpose, purposes } from "./certificate-extension.ts";
import { type KeyType, keyTypes } from "./certificate-key.ts";
import { type CompetentAuthority, type PspRole, pspRoles, type QcType, qcTypes } from "./qc-statements.ts";
import type { ValidityDays } from "./validity.ts";

/** The refusals of psd2-certificates that the wrong profiles cause. */
const expectedRefusals = [
  "certificate_expired",
  "certificate_not_yet_valid",
  "chain_untrusted",
  "psd2_statement_missing",
  "qc_type_not_web",
  "purpose_not_client",
  "no_tpp_role",
  "authority_mismatch",
] as const;

/** The code with which psd2-certificates refuses a wrong certificate. */
export type ExpectedRefusal = (typeof expectedRefusals)[number];

/** A company as the subject of a certificate. */
export type Organisation = {
  readonly name: string;
  /** ISO 3166-1, two capitals. */
  readonly country: string;
  /** ETSI TS 119 495 GEN-5.2.1-3, such as `PSDCZ-CNB-99000011`. */
  readonly organisationIdentifier: string;
};

/** One TPP certificate as `certs/<name>.json` describes it. Without an authority it has no PSD2 statement. */
export type TppProfile = {
  readonly name: string;
  readonly description: string;
  readonly organisation: Organisation;
  readonly roles: readonly PspRole[];
  /** Null without roles. */
  readonly authority: CompetentAuthority | null;
  readonly qcType: QcType;
  readonly extendedKeyUsage: readonly Purpose[];
  readonly keyType: KeyType;
  readonly validity: ValidityDays;
  readonly issuer: "issuing" | "unknown";
  /** What is wrong with it, in a sentence; null if it is valid. */
  readonly wrong: string | null;
  readonly expectedRefusal: ExpectedRefusal | null;
};

/** A profile from the JSON of its file; throws a `TypeError` that names the file and the member at fault. */
export function parseTppProfile(json: unknown, path: string): TppProfile {
  const profile = jsonMembers(json, path);
  const organisation = jsonMembers(profile.value("organisation"), `${path} organisation`);
  const validity = jsonMembers(profile.value("validity"), `${path} validity`);
  return {
    name: profile.text("name"),
    description: profile.text("description"),
    organisation: {
      name: organisation.text("name"),
      country: organisation.text("country"),
      organisationIdentifier: organisation.text("organisationIdentifier"),
    },
    roles: profile.listOf("roles", pspRoles),
    authority: parseAuthority(profile.value("authority"), path),
    qcType: profile.oneOf("qcType", qcTypes),
    extendedKeyUsage: profile.listOf("extendedKeyUsage", purposes),
    keyType: profile.oneOf("keyType", keyTypes),
    validity: { fromDays: validity.number("fromDays"), untilDays: validity.number("untilDays") },
    issuer: profile.oneOf("issuer", ["issuing", "unknown"]),
    wrong: profile.value("wrong") === null ? null : profile.text("wrong"),
    expectedRefusal:
      profile.value("expectedRefusal") === null ? null : profile.oneOf("expectedRefusal", expectedRefusals),
  };
}

function parseAuthority(json: unknown, path: string): CompetentAuthority | null {
  if (json === null) return null;
  const authority = jsonMembers(json, `${path} authority`);
  return { id: authority.text("id"), name: authority.text("name") };
}
