/**
 * Rejects when a call has taken too long, counted from its start to its last byte. An agent alone would count from when a
 * connection is free: while the other side stalls, callers would queue for as often the limit as there are in front.
 */
export function expiryOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/**
 * Calls back when the time of a call is over. It may be we who were busy meanwhile: what lies there by then is taken first.
 * The timer is to be cleared; what is called back once more after its call must do nothing.
 */
export function afterLimit(milliseconds: number, expire: () => void): NodeJS.Timeout {
  return setTimeout(() => setImmediate(expire), milliseconds);
}
