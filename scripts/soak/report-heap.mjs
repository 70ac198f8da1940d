/**
 * Loaded before a service with `--expose-gc --import`: on SIGUSR2 it collects garbage and writes what memory is held, as a
 * line of JSON.
 */
process.on("SIGUSR2", () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  process.stderr.write(`${JSON.stringify({ memory: process.memoryUsage() })}\n`);
});
