import type { Answer } from "./call.ts";

/** A problem described for a person at the bank (RFC 9457 section 3.1); never on a path of the standard. */
export interface Problem {
  readonly status: number;
  /** Title, the same for every problem of its kind. */
  readonly title: string;
  /** Details of this problem; as safe to show as the title. */
  readonly detail?: string;
  /** URI of the kind of problem; without one the title says everything (`about:blank`). */
  readonly type?: string;
  /** URI of this problem. */
  readonly instance?: string;
}

/** Presents a problem as an answer, `application/problem+json` (RFC 9457 section 3). */
export function problemAnswer({ type, title, status, detail, instance }: Problem): Answer {
  const body = JSON.stringify({ type, title, status, detail, instance });
  return { status, content: { type: "application/problem+json", body } };
}
