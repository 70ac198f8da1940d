import type { Answer } from "./call.ts";

/** What went wrong, for a person at the bank (RFC 9457 section 3.1); never on a path of the standard. */
export interface Problem {
  readonly status: number;
  /** The same for every problem of its kind. */
  readonly title: string;
  /** About this one; as safe to show as the title. */
  readonly detail?: string;
  /** A URI of the kind of problem; without one the title says all (`about:blank`). */
  readonly type?: string;
  /** A URI of this one. */
  readonly instance?: string;
}

/** A problem as an answer, `application/problem+json` (RFC 9457 section 3). */
export function problemAnswer({ type, title, status, detail, instance }: Problem): Answer {
  const body = JSON.stringify({ type, title, status, detail, instance });
  return { status, content: { type: "application/problem+json", body } };
}
