import { expect } from "chai";
import { until } from "../support/eventually.ts";

/** Resource may serve remembered answers for at most four seconds. */
const FRESHNESS_MILLISECONDS = 5_000;

/**
 * Calls until the answer has this status, and expects that no served call began after resource had to stop serving what it
 * remembers. The bound does not include the duration of a call on a busy machine.
 */
export async function untilRefused(statusOf: () => Promise<number>, refused = 401): Promise<void> {
  const since = performance.now();
  let servedLast = since;
  const isRefused = async () => {
    const begun = performance.now();
    const status = await statusOf();
    if (status === 200) servedLast = begun;
    return status === refused;
  };
  await until(isRefused, "the call is refused");
  expect(servedLast - since, "milliseconds to the last call that was served").to.be.below(
    FRESHNESS_MILLISECONDS,
  );
}
