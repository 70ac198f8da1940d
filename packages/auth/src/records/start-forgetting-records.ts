import { type Database, type JobParts, type Repeated, startBatches } from "@cobs/service-edge";
import { forgetRecords } from "./forget-records-postgres.ts";

const TERMS = {
  failure: "old records could not be deleted",
  lookMilliseconds: 60_000,
  busyMilliseconds: 250,
};

/** Job that deletes records that ended `days` ago, within minutes, until it is stopped. No decision depends on it. */
export function startForgettingRecords(
  { database, ...parts }: JobParts & { readonly database: Database },
  days: number,
): Repeated {
  return startBatches(() => forgetRecords(database, days), { ...TERMS, ...parts });
}
