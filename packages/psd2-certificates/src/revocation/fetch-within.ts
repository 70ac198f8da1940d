import { UnusableAnswer } from "./revocation-answer.ts";
import type { RevocationFetch, RevocationQuestion } from "./revocation-fetch.ts";

/** How much longer than it was told a fetch may take, before it is given up on from here. */
const graceMilliseconds = 250;

/** Asks, and holds whoever answers to the limits, in case that the way out does not. */
export async function fetchWithin(fetch: RevocationFetch, question: RevocationQuestion): Promise<Buffer> {
  const octets = await endWithin(fetch(question), question.limitMilliseconds + graceMilliseconds);
  if (octets.length > question.limitOctets)
    throw new UnusableAnswer(`more than ${question.limitOctets} octets`);
  return octets;
}

/** What comes of something within this time, which may be over; rejects with an `UnusableAnswer` after it, and lets it go on. */
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
    // It may be we who were busy: an answer that has come meanwhile is taken before the time is called over.
    const timer = setTimeout(() => setImmediate(late), Math.max(0, milliseconds));
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
