/** Table: the codes of members by clearing system (ISO 20022 ExternalClearingSystemIdentification1Code). */
const MEMBERS: Readonly<Record<string, RegExp>> = {
  ATBLZ: /^\d{5}$/,
  AUBSB: /^\d{6}$/,
  CACPA: /^\d{9}$/,
  CHBCC: /^\d{3,5}$/,
  CHSIC: /^\d{6}$/,
  CNAPS: /^\d{12}$/,
  DEBLZ: /^\d{8}$/,
  ESNCC: /^\d{8,9}$/,
  GBDSC: /^\d{6}$/,
  GRBIC: /^\d{7}$/,
  HKNCC: /^\d{3}$/,
  IENCC: /^\d{6}$/,
  INFSC: /^[A-Z]{4}0[A-Z0-9]{6}$/,
  ITNCC: /^\d{10}$/,
  NZNCC: /^\d{6}$/,
  PLKNR: /^\d{8}$/,
  PTNCC: /^\d{8}$/,
  RUCBC: /^\d{9}$/,
  USABA: /^\d{9}$/,
  USPID: /^\d{4}$/,
  ZANCC: /^\d{6}$/,
};

const SYSTEM = /^[A-Z0-9]{1,5}$/;

/**
 * Whether `clearingSystemMemberIdentification` names a system in the form of ISO 20022 and, if the system is in the table, a
 * member in its form (RC10). True if a member of the object is itself wrong or missing.
 */
export function isClearingMember(value: Readonly<Record<string, unknown>>): boolean {
  const { clearingSystemIdentification: system, memberIdentification: member } = value;
  const code = typeof system === "object" && system !== null && "code" in system ? system.code : undefined;
  if (!isSaid(code)) return true;
  if (!SYSTEM.test(code)) return false;
  const form = Object.hasOwn(MEMBERS, code) ? MEMBERS[code] : undefined;
  return form === undefined || !isSaid(member) || form.test(member);
}

/** An empty text counts as absent (PDF 1.2.3). */
function isSaid(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
