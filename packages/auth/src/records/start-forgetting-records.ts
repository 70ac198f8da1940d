import {
  type Database,
  type Log,
  type Repeat,
  type Repeated,
  repeat,
  soonAfterStart,
  tellFailure,
} from "@cobs/service-edge";
import { forgetRecords } from "./forget-records-postgres.ts";

const LOOK_MILLISECONDS = 60_000;
/** Between two batches: whoever else writes gets a turn. */
const BUSY_MILLISECONDS = 250;

/** Forgets what was over `days` ago, within minutes, until it is stopped. No decision depends on it. */
export function startForgettingRecords(
  {
    database,
    log,
    again = repeat,
  }: { readonly database: Database; readonly log: Log; readonly again?: Repeat },
  days: number,
): Repeated {
  const fail = tellFailure(log, "old records could not be deleted", LOOK_MILLISECONDS);
  const round = async () => ((await forgetRecords(database, days)) ? BUSY_MILLISECONDS : LOOK_MILLISECONDS);
  return again(round, fail, soonAfterStart());
}
