/** Which consents end, and what is written of that. */
export interface EndedConsents {
  /** Gives the ids of those that are picked and locked before; `where` joins them as `due`. */
  readonly due?: string;
  readonly set: string;
  readonly where: string;
  /** What is given of each beside what its entry needs. */
  readonly more?: string;
}

/**
 * The one statement that ends consents, as `EndedConsent` and more: everything that hangs on them ends in it, so that no code or
 * token outlives its consent.
 */
export function endConsentsWhere({ due, set, where, more }: EndedConsents): string {
  const [picked, joined] = due === undefined ? ["", ""] : [`due AS (${due}), `, "FROM due"];
  const and = more === undefined ? "" : `, ${more}`;
  return `WITH ${picked}ended AS (
    UPDATE consent SET ${set} ${joined} WHERE ${where}
    RETURNING consent.id, application_id, psu_id, organisation_identifier, services${and}
  ), gone AS (DELETE FROM token USING ended WHERE token.grant_id = ended.id)
  SELECT * FROM ended`;
}
