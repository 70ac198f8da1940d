/** Loaded by every mocha. Once its tests are over, a process that something keeps running has failed; it shall not wait for that. */
const LIMIT_MILLISECONDS = Number(process.env.COBS_TEST_END_LIMIT_MILLISECONDS ?? 60_000);

export const mochaHooks = {
  afterAll(): void {
    setTimeout(endLate, LIMIT_MILLISECONDS).unref();
  },
};

function endLate(): never {
  const kept = new Set(process.getActiveResourcesInfo());
  console.error(
    `still running ${LIMIT_MILLISECONDS / 1_000} s after its last test: stopped (${[...kept].join(", ")})`,
  );
  // After mocha, which sets the number of failed tests.
  process.on("exit", () => {
    process.exitCode = 1;
  });
  process.exit();
}
