/**
 * Rejects when a call has taken too long, from its start to its last byte. An agent's own timeout starts only when a
 * connection is free: if the other side stalls, a caller would wait once for every caller in front of it.
 */
export function expiryOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/**
 * Calls back when the time of a call is over. If this process was busy meanwhile, an answer that has already arrived is
 * handled first. The caller clears the timer; the callback must do nothing after the end of its call.
 */
export function afterLimit(milliseconds: number, expire: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(expire), milliseconds);
}
