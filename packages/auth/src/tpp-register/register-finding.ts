/**
 * A second check of TPPs that have called auth, daily and soon after the first call: what the central register of the EBA says of
 * them. This folder owns the register's file, the meaning of its entries, and the findings. It does not own the stop list (tpp),
 * or how the file gets here: a job of the operator fetches it. No request ever waits for any of this.
 */

/** Findings about a TPP on a day (PSD2 Article 15, Regulation (EU) 2019/410). */
export const registerFindings = {
  /** At least one entry is in force. */
  authorised: "the register shows an authorisation or registration in force",
  /** It has entries, and all of them have ended. */
  withdrawn: "the register shows that its authorisation or registration has ended",
  /** No entry is known to be in force, and not all are known to have ended. */
  unclear: "the register's entry does not say whether it is in force",
  /** No entry, which proves nothing: banks are not in the register, and authorities write numbers in their own ways. */
  absent: "the register has no entry under this organisation identifier",
  /** The operator exempted it, because the register does not list it, as with banks. */
  exempt: "not looked up",
} as const;

/** A key of {@link registerFindings}. */
export type RegisterFinding = keyof typeof registerFindings;

/** What all entries of one TPP together say. */
export type RegisterStanding = Exclude<RegisterFinding, "absent" | "exempt">;

/** A day as the register writes it, `2026-08-27`; such strings compare like the days. */
export type IsoDay = string;

/** Returns the UTC day of a moment. */
export function dayOf(moment: Date): IsoDay {
  return moment.toISOString().slice(0, "2026-08-27".length);
}
