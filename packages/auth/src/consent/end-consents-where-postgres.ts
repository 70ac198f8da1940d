/** Which consents end, and which columns are set and returned. */
export interface EndedConsents {
  /** Selects and locks the ids of the consents first; `where` joins them as `due`. */
  readonly due?: string;
  readonly set: string;
  readonly where: string;
  /** Columns to return besides those of `EndedConsent`. */
  readonly more?: string;
}

/**
 * Makes the one statement that ends consents; it returns `EndedConsent` and `more`. It also deletes their codes and
 * tokens, so that none outlives its consent.
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
