/**
 * The second look, daily and soon after the first call, at the TPPs that have called here: what the central register of the EBA says of them. This
 * folder owns the register's file, what its entries mean, and what was found. It does not own the stop list (tpp), nor
 * how the file gets here: a job of the operator fetches it. No call ever waits for any of this.
 */

/** What the register says of a TPP on a day (PSD2 Article 15, Regulation (EU) 2019/410). */
export const registerFindings = {
  /** An entry of it is in force. */
  authorised: "the register shows an authorisation or registration in force",
  /** It has entries, and each of them has ended. */
  withdrawn: "the register shows that its authorisation or registration has ended",
  /** No entry can be told to have ended, and none to be in force. */
  unclear: "the register's entry does not say whether it is in force",
  /** No entry, which proves nothing: banks are not in the register, and authorities write numbers in their own way. */
  absent: "the register has no entry under this organisation identifier",
  /** The operator has said that the register does not have it, as with banks. */
  exempt: "not looked up",
} as const;

/** A key of {@link registerFindings}. */
export type RegisterFinding = keyof typeof registerFindings;

/** What the entries of one TPP together say. */
export type RegisterStanding = Exclude<RegisterFinding, "absent" | "exempt">;

/** A day as the register writes it, `2026-08-27`: such texts compare as the days do. */
export type IsoDay = string;

/** The day of a moment, in UTC. */
export function dayOf(moment: Date): IsoDay {
  return moment.toISOString().slice(0, "2026-08-27".length);
}
