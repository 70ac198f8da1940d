import type { Adapter } from "oidc-provider";
import { UnfitAssertion } from "./require-assertion.ts";
import { UNUSED_ADAPTER } from "./unused-adapter.ts";
import type { UsedMarks } from "./used-marks.ts";

/** Seconds that a mark outlives its assertion, as another process's clock may be behind. */
const CLOCK_DIFFERENCE_SECONDS = 60;

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
