import type { BankTerms } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";

/**
 * For so long the terms of a core system serve: calendar, cut-off times and what it takes are those of days. What it has against
 * one order it is asked each time.
 */
const LIFE_MILLISECONDS = 60_000;

interface AskedTerms {
  readonly askedAt: number;
  readonly terms: Promise<BankTerms>;
}

/**
 * Remembers the one answer of a question about terms, from when it was asked; callers meanwhile share it. An answer that did not
 * come is asked for again by the next caller.
 */
export function rememberTerms(
  ask: () => Promise<BankTerms>,
  clock: Pick<Clock, "monotonicMilliseconds">,
): () => Promise<BankTerms> {
  let known: AskedTerms | undefined;
  return () => {
    const now = clock.monotonicMilliseconds();
    if (known !== undefined && now - known.askedAt < LIFE_MILLISECONDS) return known.terms;
    const asked = { askedAt: now, terms: ask() };
    known = asked;
    asked.terms.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.terms;
  };
}
