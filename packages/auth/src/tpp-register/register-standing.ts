import type { RegisterEntry } from "./register-entry.ts";
import type { IsoDay, RegisterStanding } from "./register-finding.ts";

/**
 * What an entry says on a day: of its changes up to then the odd ones begin, the even ones end (EBA, data specification
 * of the register's JSON, `ENT_AUT`). An entry that has yet to begin says nothing.
 */
export function standingOn(day: IsoDay, { changes = [] }: RegisterEntry): RegisterStanding {
  const past = changes.filter((change) => change <= day).length;
  if (past === 0) return "unclear";
  return past % 2 === 1 ? "authorised" : "withdrawn";
}

/** What two entries of one TPP say: it is withdrawn only when every entry is, as after a change of licence. */
export function together(one: RegisterStanding | undefined, other: RegisterStanding): RegisterStanding {
  if (one === undefined || one === other) return other;
  return one === "authorised" || other === "authorised" ? "authorised" : "unclear";
}
