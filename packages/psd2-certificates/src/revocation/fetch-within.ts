import { UnusableAnswer } from "./revocation-answer.ts";
import type { RevocationFetch, RevocationQuestion } from "./revocation-fetch.ts";

/** How much longer than it was told a fetch may take, before it is given up on from here. */
const graceMilliseconds = 250;

/** Asks, and holds whoever answers to the limits, in case that the way out does not. */
export async function fetchWithin(fetch: RevocationFetch, question: RevocationQuestion): Promise<Buffer> {
  const alarm = new AbortController();
  const tooLate = rejectAfter(question.limitMilliseconds + graceMilliseconds, alarm.signal);
  try {
    const octets = await Promise.race([fetch(question), tooLate]);
    if (octets.length > question.limitOctets)
      throw new UnusableAnswer(`more than ${question.limitOctets} octets`);
    return octets;
  } finally {
    alarm.abort();
  }
}

function rejectAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const timer = setTimeout(() => reject(new UnusableAnswer("no answer in time")), milliseconds);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
