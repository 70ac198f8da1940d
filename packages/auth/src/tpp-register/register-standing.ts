import type { RegisterEntry } from "./register-entry.ts";
import type { IsoDay, RegisterStanding } from "./register-finding.ts";

/**
 * Finds what an entry says on a day: of its changes until then, the odd ones begin and the even ones end (EBA, data specification
 * of the register's JSON, `ENT_AUT`). An entry that has yet to begin says nothing.
 */
export function standingOn(day: IsoDay, { changes = [] }: RegisterEntry): RegisterStanding {
  const past = changes.filter((change) => change <= day).length;
  if (past === 0) return "unclear";
  return past % 2 === 1 ? "authorised" : "withdrawn";
}

/** Combines two entries of one TPP: it is withdrawn only when every entry is, because licences are also replaced. */
export function together(one: RegisterStanding | undefined, other: RegisterStanding): RegisterStanding {
  if (one === undefined || one === other) return other;
  return one === "authorised" || other === "authorised" ? "authorised" : "unclear";
}
