import { writeFileSync } from "node:fs";

/** An institution that a test wants in the register. */
export interface WantedInstitution {
  readonly owner?: string;
  readonly code?: string;
  readonly type?: string;
  readonly reference?: unknown;
  readonly changes?: unknown;
  readonly version?: string;
}

/** An entry in the register's own shape, with a test's changes. */
export function registerEntry(wanted: WantedInstitution = {}): Record<string, unknown> {
  const { owner = "CZ_CNB", reference = "99000011", type = "PSD_PI", version = "20261120213506543" } = wanted;
  return {
    CA_OwnerID: owner,
    EntityCode: wanted.code ?? `${owner}!${reference}`,
    EntityType: type,
    Properties: [
      { ENT_COD_TYP: "NON_LEI" },
      { ENT_NAT_REF_COD: reference },
      { ENT_NAM: ["Žluťoučký účet", "Zlutoucky ucet"] },
      { ENT_ADD: "Dlouhá 1" },
      { ENT_COU_RES: owner.slice(0, 2) },
      ...("changes" in wanted ? [{ ENT_AUT: wanted.changes }] : [{ ENT_AUT: ["2019-04-12"] }]),
    ],
    Services: [{ CZ: ["PS_03A", "PS_070", "PS_080"] }, { SK: "PS_080" }],
    __EBA_EntityVersion: version,
  };
}

/** An agent; the register has hundreds of thousands. */
export function registerAgent(reference: string): Record<string, unknown> {
  return {
    CA_OwnerID: "CZ_CNB",
    EntityCode: `PSD_PI!CZ_CNB!99000011!${reference}`,
    EntityType: "PSD_AG",
    Properties: [
      { ENT_NAT_REF_COD: reference },
      { ENT_NAM: "Jan Novák" },
      { ENT_TYP_PAR_ENT: "PSD_PI" },
      { ENT_COD_PAR_ENT: "CZ_CNB!99000011" },
      { DER_CHI_ENT_AUT: "Active" },
    ],
    __EBA_EntityVersion: "20250428213506543",
  };
}

/** Writes a file in the register's shape: a disclaimer, and the entries. */
export function writeRegister(path: string, entries: readonly unknown[]): string {
  writeFileSync(path, JSON.stringify([[{ disclaimer: "no legal significance" }], entries]));
  return path;
}
