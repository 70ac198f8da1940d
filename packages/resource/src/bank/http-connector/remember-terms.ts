import type { BankTerms } from "@cobs/cobs-model";
import type { Clock } from "@cobs/service-edge";

/**
 * How long the terms of a core system are used: calendar, cut-off times and priorities change by the day. Each order is still
 * inspected on its own.
 */
const LIFE_MILLISECONDS = 60_000;

interface AskedTerms {
  readonly askedAt: number;
  readonly terms: Promise<BankTerms>;
}

/**
 * Remembers the answer of a question about terms, counted from when it was asked; callers meanwhile share it. After a failure
 * the next caller asks again.
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
