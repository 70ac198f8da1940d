import { type OrganisationIdentifier, parseOrganisationIdentifier } from "@cobs/psd2-certificates";

/** How many accesses may begin within 24 hours, for one consent, account and resource. */
export interface AccessLimits {
  readonly ofEverybody: number;
  /** Limits that the bank has agreed on with individual TPPs (RTS Article 36(5)(b)). */
  readonly ofTpps: ReadonlyMap<OrganisationIdentifier, number>;
}

/** Accesses of fifteen minutes that fit into a day; as a limit, this number limits nothing. */
export const MAX_ACCESSES = 96;

/** Finds the limit of one TPP. */
export function limitOf(limits: AccessLimits, tpp: OrganisationIdentifier): number {
  return limits.ofTpps.get(tpp) ?? limits.ofEverybody;
}

/**
 * Parses `PSDCZ-CNB-99000011=24;PSDDE-BAFIN-123=48`: each TPP once, with a number from 1 to 96. Throws with a message for an
 * operator.
 */
export function parseAccessLimits(text: string): ReadonlyMap<OrganisationIdentifier, number> {
  const limits = new Map<OrganisationIdentifier, number>();
  for (const entry of text.split(";").filter((part) => part.trim() !== "")) {
    const [tpp, limit] = parseEntry(entry.trim());
    if (limits.has(tpp)) throw new Error(`${tpp} is listed twice`);
    limits.set(tpp, limit);
  }
  return limits;
}

function parseEntry(entry: string): readonly [OrganisationIdentifier, number] {
  const [, name, digits] = /^([^=]+)=(\d{1,2})$/.exec(entry) ?? [];
  const limit = Number(digits);
  if (name === undefined || limit < 1 || limit > MAX_ACCESSES)
    throw new Error(`${entry} must be an organisation identifier, =, and a number from 1 to ${MAX_ACCESSES}`);
  return [parseTpp(name.trim()), limit];
}

function parseTpp(name: string): OrganisationIdentifier {
  try {
    return parseOrganisationIdentifier(name);
  } catch {
    throw new Error(`${name} must be an organisation identifier, such as PSDCZ-CNB-99000011`);
  }
}
