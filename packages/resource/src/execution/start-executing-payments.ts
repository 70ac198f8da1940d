import { isDatabaseUnavailable, type Repeated, repeat } from "@cobs/service-edge";
import { type ExecutionParts, executeDuePayments } from "./execute-payments.ts";

/** Between two looks at what is due, where nothing was. */
const LOOK_MILLISECONDS = 250;
const TROUBLE_MILLISECONDS = 1_000;

/**
 * Executes approved payments until it is stopped, which waits for those under way. Every process does, and each payment is
 * in the hands of one at a time.
 */
export function startExecutingPayments(parts: ExecutionParts): Repeated {
  return repeat(
    async () => ((await executeDuePayments(parts)) === 0 ? LOOK_MILLISECONDS : 0),
    (error) => {
      if (!isDatabaseUnavailable(error)) parts.log.error({ error }, "no payment can be taken for the bank");
      return TROUBLE_MILLISECONDS;
    },
  );
}
