/** The error that tells an application that its PSU comes back without a consent, and why (RTS Article 36(2)). */
export interface WayBack {
  readonly error: "access_denied" | "temporarily_unavailable";
  readonly description: string;
}

/** Table: the reasons for which a page may send its PSU back. None tells which factor was wrong, or that a PSU is blocked. */
const WAYS_BACK = {
  declined: { error: "access_denied", description: "the PSU declined" },
  not_signed_in: { error: "access_denied", description: "the PSU was not signed in" },
  session_idle: { error: "access_denied", description: "the sign-in ended before the PSU had decided" },
  accounts_none: { error: "access_denied", description: "the PSU has no account that could be shared" },
  accounts_unavailable: {
    error: "temporarily_unavailable",
    description: "the accounts of the PSU cannot be read at the moment",
  },
} as const satisfies Readonly<Record<string, WayBack>>;

/** The name of a row of {@link WAYS_BACK}, in the form that leads back. */
export type WayBackReason = keyof typeof WAYS_BACK;

/** Finds the row that a posted form names; a form that names none of ours means that the PSU declines. */
export function findWayBack(text: string): WayBack {
  return Object.hasOwn(WAYS_BACK, text) ? WAYS_BACK[text as WayBackReason] : WAYS_BACK.declined;
}
