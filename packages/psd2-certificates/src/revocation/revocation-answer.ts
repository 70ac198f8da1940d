/**
 * A source's answer about one certificate, after every check of the answer itself: it has the required signer, is about this
 * certificate, and is valid now.
 */
export type RevocationAnswer =
  | ({ readonly status: "good"; readonly detail: string } & AnswerPeriod)
  | ({
      readonly status: "revoked";
      /** certificateHold can be withdrawn (RFC 5280 5.3.1); every other revocation is permanent. */
      readonly isOnHold: boolean;
      readonly detail: string;
    } & AnswerPeriod);

/** From when until when a source vouches for its answer, in milliseconds since 1970. */
export interface AnswerPeriod {
  readonly from: number;
  readonly until: number;
}

/** An answer, and when its question was sent, on the monotonic clock. */
export interface DatedAnswer {
  readonly answer: RevocationAnswer;
  readonly askedAt: number;
}

/** An answer that cannot be used: from somebody else, not valid now, badly signed, or missing. */
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

/** Makes a revocation for one of the reasons of RFC 5280 5.3.1; undefined if the source gives none. */
export function revokedAnswer(
  reason: number | undefined,
  { from, until }: AnswerPeriod,
  source: string,
): RevocationAnswer & { readonly status: "revoked" } {
  const name = reason === undefined ? "no reason given" : (reasons.get(reason) ?? `reason ${reason}`);
  return { status: "revoked", from, until, isOnHold: reason === 6, detail: `${source}: revoked, ${name}` };
}

/** Describes what went wrong, in a line for the log. */
export function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
