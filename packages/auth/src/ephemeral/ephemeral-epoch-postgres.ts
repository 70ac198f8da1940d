import { randomUUID } from "node:crypto";
import type { Database, Queries } from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit } from "../audit/append-audit-postgres.ts";
import type { BeginEpoch, EphemeralEpochs } from "./ephemeral-epoch.ts";

const FIND = "SELECT epoch FROM ephemeral_epoch";
const LOCK = "SELECT epoch FROM ephemeral_epoch FOR UPDATE";
const REPLACE = "UPDATE ephemeral_epoch SET epoch = $1, made_at = now()";

async function readEpoch(queries: Queries, name: string, text: string): Promise<string> {
  const [row] = await queries.run<{ epoch: string }>({ name, text, values: [] });
  if (row === undefined) throw new TypeError("the epoch's row is missing");
  return row.epoch;
}

/** Records who ordered the end of an epoch, and which one is next. */
export function recordTurn(queries: Queries, act: Act, next: string): Promise<void> {
  const subject = { kind: "ephemeral", id: "redis" } as const;
  return appendAudit(queries, [{ act, action: "redis.epoch_ended", subject, details: { next } }]);
}

/** Keeps the epoch in PostgreSQL; the lock of its one row makes processes replace it one at a time. */
export function createEphemeralEpochs(database: Database): EphemeralEpochs {
  let known: Promise<string> | undefined;
  const read = async () => {
    known = readEpoch(database, "epoch-find", FIND);
    // A failed read is not cached.
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  const replaceIn = (former: string, begin: BeginEpoch) =>
    database.transaction(async (queries) => {
      const found = await readEpoch(queries, "epoch-lock", LOCK);
      if (found !== former) return found;
      // Random, not counted: a number that was prepared but not committed would be used twice.
      const next = randomUUID();
      await begin(next, queries);
      await queries.run({ name: "epoch-replace", text: REPLACE, values: [next] });
      return next;
    });
  return {
    current: () => known ?? read(),
    async replace(former, begin) {
      const next = await replaceIn(former, begin);
      known = Promise.resolve(next);
      return next;
    },
  };
}
