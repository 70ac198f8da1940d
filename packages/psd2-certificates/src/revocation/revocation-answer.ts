/**
 * What a source of revocation said of one certificate, after every check of the answer itself: it is signed by whom it
 * must be, about this certificate and in its time.
 */
export type RevocationAnswer =
  | ({ readonly status: "good"; readonly detail: string } & AnswerPeriod)
  | ({
      readonly status: "revoked";
      /** certificateHold can be taken back (RFC 5280 5.3.1); every other revocation is for ever. */
      readonly isOnHold: boolean;
      readonly detail: string;
    } & AnswerPeriod);

/** As of when a source says it, and until when it stands by it, in milliseconds since 1970. */
export interface AnswerPeriod {
  readonly from: number;
  readonly until: number;
}

/** An answer, and when the question was sent that it answers, on the monotonic clock. */
export interface DatedAnswer {
  readonly answer: RevocationAnswer;
  readonly askedAt: number;
}

/** An answer that says nothing usable: somebody else's, out of its time, badly signed, or none at all. */
export class UnusableAnswer extends Error {}

const reasons: ReadonlyMap<number, string> = new Map([
  [0, "unspecified"],
  [1, "keyCompromise"],
  [2, "cACompromise"],
  [3, "affiliationChanged"],
  [4, "superseded"],
  [5, "cessationOfOperation"],
  [6, "certificateHold"],
  [8, "removeFromCRL"],
  [9, "privilegeWithdrawn"],
  [10, "aACompromise"],
]);

/** A revocation for one of the reasons of RFC 5280 5.3.1, undefined when the source gives none. */
export function revokedAnswer(
  reason: number | undefined,
  { from, until }: AnswerPeriod,
  source: string,
): RevocationAnswer & { readonly status: "revoked" } {
  const name = reason === undefined ? "no reason given" : (reasons.get(reason) ?? `reason ${reason}`);
  return { status: "revoked", from, until, isOnHold: reason === 6, detail: `${source}: revoked, ${name}` };
}

/** What went wrong, in a line for the log. */
export function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
