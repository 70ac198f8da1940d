import type { IsoDay } from "./register-finding.ts";

/** One entry of the register, as far as it concerns TPPs. */
export interface RegisterEntry {
  /** Day of its version; undefined when not given. */
  readonly versionDay: IsoDay | undefined;
  /** Organisation identifiers that a certificate of this institution may carry; empty for entries that are not institutions. */
  readonly identifiers: readonly string[];
  /** Days on which its authorisation or registration began, ended, began again and so on; undefined when unreadable. */
  readonly changes: readonly IsoDay[] | undefined;
}

/**
 * Payment, electronic money and account information institutions, exempted ones, and those entitled by national law. Agents and
 * branches act under the identifier of their principal; excluded providers are not licensed.
 */
const INSTITUTIONS: readonly unknown[] = ["PSD_PI", "PSD_EMI", "PSD_AISP", "PSD_EPI", "PSD_EEMI", "PSD_ENL"];

const OWNER = /^([A-Z]{2})_(.+)$/;
const VERSION = /^(\d{4})(\d{2})(\d{2})\d*$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Members = ReadonlyMap<string, unknown>;

/** Reads an element of the register's list; undefined when it is not an entry. Nothing in it is verified. */
export function readRegisterEntry(value: unknown): RegisterEntry | undefined {
  if (typeof value !== "object" || value === null || !("EntityType" in value)) return undefined;
  const members: Members = new Map<string, unknown>(Object.entries(value));
  const properties = readProperties(members.get("Properties"));
  return {
    versionDay: readVersionDay(members.get("__EBA_EntityVersion")),
    identifiers: INSTITUTIONS.includes(value.EntityType) ? readIdentifiers(members, properties) : [],
    changes: readChanges(properties.get("ENT_AUT")),
  };
}

/** The register writes properties as a list of objects with one member each. */
function readProperties(list: unknown): Members {
  const objects = Array.isArray(list) ? list : [];
  return new Map<string, unknown>(
    objects.flatMap((each: unknown) =>
      typeof each === "object" && each !== null ? Object.entries(each) : [],
    ),
  );
}

function readVersionDay(version: unknown): IsoDay | undefined {
  const [, year, month, day] = (typeof version === "string" && VERSION.exec(version)) || [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/**
 * Builds organisation identifiers: `CZ_CNB` and `01234567` are `PSDCZ-CNB-01234567` in a certificate (ETSI TS 119 495
 * GEN-5.2.1-3). Zeros and hyphens of the number count. The authority has only letters there, while the register also writes
 * `FI_FIN-FSA`.
 */
function readIdentifiers(members: Members, properties: Members): readonly string[] {
  const owner = members.get("CA_OwnerID");
  const [, country, authority = ""] = (typeof owner === "string" && OWNER.exec(owner)) || [];
  if (country === undefined) return [];
  const start = `PSD${country}-${authority.replace(/[^A-Z]/g, "")}-`;
  const code = members.get("EntityCode");
  const ofCode =
    typeof code === "string" && code.startsWith(`${owner}!`) ? code.slice(`${owner}!`.length) : undefined;
  const numbers = new Set([...texts(properties.get("ENT_NAT_REF_COD")), ...texts(ofCode)]);
  return [...numbers].map((number) => `${start}${number.trim()}`);
}

/** Reads the days of change, all of which must be strings: if one were skipped, a later beginning would be taken for an end. */
function readChanges(value: unknown): readonly IsoDay[] | undefined {
  const changes = texts(value);
  const areAllTexts = changes.length === [value].flat().length;
  const inOrder = changes.every((day, index) => DAY.test(day) && (changes[index - 1] ?? "") <= day);
  return areAllTexts && inOrder ? changes : undefined;
}

/** The register writes a single string alone, and several as a list. */
function texts(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === "string");
}
