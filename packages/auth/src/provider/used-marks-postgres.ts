import type { Database } from "@cobs/service-edge";
import { createEphemeralStoreInPostgres } from "../ephemeral/ephemeral-store-postgres.ts";
import type { UsedMarks } from "./used-marks.ts";

/** Keeps the marks in PostgreSQL's table of ephemeral records, which loses nothing. */
export function createUsedMarks(database: Database): UsedMarks {
  const records = createEphemeralStoreInPostgres<{ readonly by?: string }>(database);
  return {
    async use(key, { by, lifetimeSeconds }) {
      const mark = by === undefined ? {} : { by };
      if (await records.putNew(key, mark, { uid: undefined, lifetimeSeconds })) return "first";
      return by !== undefined && (await records.find(key))?.by === by ? "again" : "used";
    },
  };
}
