/** The security profile that a bank requires of applications: any, or fapi2 from a certain moment. */
export interface RequiredProfile {
  /** Undefined when the bank leaves the choice to the TPP. */
  readonly fapi2From: Date | undefined;
}

const FROM = /^fapi2-from=(\d{4}-\d{2}-\d{2})$/;

/** Parses `any`, `fapi2` or `fapi2-from=` and a date (from its midnight in UTC); throws an Error that says what it must be. */
export function parseRequiredProfile(text: string): RequiredProfile {
  if (text === "any") return { fapi2From: undefined };
  if (text === "fapi2") return { fapi2From: new Date(0) };
  const day = FROM.exec(text)?.[1] ?? "";
  const from = new Date(`${day}T00:00:00Z`);
  // 30 February would become a day in March.
  if (Number.isNaN(from.getTime()) || from.toISOString().slice(0, 10) !== day)
    throw new Error("must be any, fapi2, or fapi2-from= and a date such as 2027-01-01");
  return { fapi2From: from };
}

/** Whether an application of profile cobs may no longer be registered or used. */
export function requiresFapi2({ fapi2From }: RequiredProfile, now: Date): boolean {
  return fapi2From !== undefined && now >= fapi2From;
}
