import type { Adapter } from "oidc-provider";
import { UnfitAssertion } from "./require-assertion.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";
import type { UsedMarks } from "./used-marks.ts";

/**
 * Seconds that a mark outlives its assertion: by as much the clocks of two processes may differ. One that is ahead gives
 * a mark too short a lifetime, and one that is behind takes an assertion for too long.
 */
const CLOCK_DIFFERENCE_SECONDS = 300;

/**
 * Makes the adapter for the `jti`s of client assertions, each good for one call (RFC 7523 3, FAPI 2.0 5.3.2.1). The
 * provider looks a `jti` up and stores it afterwards, so parallel calls would all pass; storing here refuses all but
 * one.
 */
export function createReplayAdapter(marks: UsedMarks): Adapter {
  return {
    ...UNUSED_ADAPTER,
    find: async () => undefined,
    async upsert(id, _payload, lifetimeSeconds) {
      if (lifetimeSeconds === undefined) throw new TypeError("a mark must have a lifetime");
      const terms = { lifetimeSeconds: lifetimeSeconds + CLOCK_DIFFERENCE_SECONDS };
      if ((await marks.use({ kind: "ReplayDetection", id }, terms)) !== "first")
        throw new UnfitAssertion(
          "the assertion has already been used: send a new one, with a new jti, on each call",
        );
    },
  };
}
