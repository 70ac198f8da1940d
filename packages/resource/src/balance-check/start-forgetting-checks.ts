import { isDatabaseUnavailable, type Log, type Repeat, type Repeated, repeat } from "@cobs/service-edge";
import type { BalanceCheckStore } from "./balance-check-store.ts";

const BATCH = 1_000;
const LOOK_MILLISECONDS = 60_000;
/** Between two batches: whoever asks a question gets a turn. */
const BUSY_MILLISECONDS = 50;

/** Deletes questions that decide nothing any more, until it is stopped. Nothing depends on it but the size of the table. */
export function startForgettingChecks({
  store,
  log,
  again = repeat,
}: {
  readonly store: Pick<BalanceCheckStore, "forgetOld">;
  readonly log: Log;
  readonly again?: Repeat;
}): Repeated {
  const fail = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) log.error({ error }, "old balance checks could not be deleted");
    return LOOK_MILLISECONDS;
  };
  return again(
    async () => ((await store.forgetOld(BATCH)) < BATCH ? LOOK_MILLISECONDS : BUSY_MILLISECONDS),
    fail,
  );
}
