/** Makes these calls beside each other, each again and again, for as long as `act` takes; gives its outcome once all have ended. */
export async function whileCalling<T>(
  calls: readonly (() => Promise<unknown>)[],
  act: () => Promise<T>,
): Promise<T> {
  let isRunning = true;
  const callers = calls.map(async (call) => {
    while (isRunning) await call();
  });
  try {
    return await act();
  } finally {
    isRunning = false;
    await Promise.all(callers);
  }
}
