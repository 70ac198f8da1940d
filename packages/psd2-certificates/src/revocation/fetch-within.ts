import { UnusableAnswer } from "./revocation-answer.ts";
import type { RevocationFetch, RevocationQuestion } from "./revocation-fetch.ts";

/** How much longer than its limit a fetch may take before it is given up here. */
const graceMilliseconds = 250;

/** Fetches, and enforces the limits in case the fetch function does not. */
export async function fetchWithin(fetch: RevocationFetch, question: RevocationQuestion): Promise<Buffer> {
  const octets = await endWithin(fetch(question), question.limitMilliseconds + graceMilliseconds);
  if (octets.length > question.limitOctets)
    throw new UnusableAnswer(`the answer is longer than ${question.limitOctets} octets`);
  return octets;
}

/**
 * Awaits a promise for at most this time, which may already be over; then rejects with an `UnusableAnswer`, and lets it go on.
 */
export async function endWithin<Value>(act: Promise<Value>, milliseconds: number): Promise<Value> {
  const alarm = new AbortController();
  try {
    return await Promise.race([act, rejectAfter(milliseconds, alarm.signal)]);
  } finally {
    alarm.abort();
  }
}

function rejectAfter(milliseconds: number, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const late = () => reject(new UnusableAnswer("no answer in time"));
    // If this process was busy, an answer that has already arrived is handled before the time counts as over.
    const timer = setTimeout(() => setImmediate(late), Math.max(0, milliseconds));
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
