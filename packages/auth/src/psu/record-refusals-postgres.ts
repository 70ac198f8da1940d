import {
  type Clock,
  type Database,
  gather,
  type Log,
  type Queries,
  type Repeat,
  repeat,
  tellFailure,
} from "@cobs/service-edge";
import type { Act } from "../audit/act.ts";
import { appendAudit, appendAuditWhere, auditValues } from "../audit/append-audit-postgres.ts";
import type { AuditAction, AuditDetails, AuditEntry } from "../audit/audit-entry.ts";
import { createRefusalBound, type Refusal, type RefusedAttempt, type Unrecorded } from "./refusal-bound.ts";

/** What refused sign-ins are recorded with. */
export interface RefusalRecordParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly again?: Repeat;
}

/** The record of refused sign-ins of one process. */
export interface RefusalRecord {
  /** Resolves when the entry is written, or the attempt is counted, after the same work in either case. */
  record(attempt: RefusedAttempt, requestId: string): Promise<void>;
  /** Writes down the attempts that were only counted. */
  stop(): Promise<void>;
}

const ACTIONS: Readonly<Record<Refusal, AuditAction>> = {
  refused: "psu.sign_in_refused",
  blocked: "psu.sign_in_blocked",
};

const PAUSE_MILLISECONDS = 1_000;

// The time of an answer must not tell whether a PSU's bound was reached, and so whether the PSU exists. Without an entry the same
// statement runs, and its WAL record is written and waited for as well. Nobody reads its message.
const RECORD = `WITH recorded AS (${appendAuditWhere("($1::boolean[])[nth]", 1)})
  SELECT pg_logical_emit_message(true, 'sign-in', ''::text)`;

/** An entry, and whether to write it. */
interface Considered {
  readonly entry: AuditEntry;
  readonly isRecorded: boolean;
}

async function consider(queries: Queries, considered: readonly Considered[]): Promise<void> {
  const values = [
    considered.map(({ isRecorded }) => isRecorded),
    ...auditValues(considered.map(({ entry }) => entry)),
  ];
  await queries.run({ name: "sign-in-record-refused", text: RECORD, values });
}

/** Makes an entry of which nobody is proven. It names the PSU when the login can tell; what was typed is never recorded. */
function entryOf(
  action: AuditAction,
  { psu, requestId }: Pick<RefusedAttempt, "psu"> & { readonly requestId: string | undefined },
  details: AuditDetails,
): AuditEntry {
  const act: Act = { actor: { kind: "server", part: "sign-in" }, requestId };
  return { act, action, subject: { kind: "psu", id: psu ?? "unknown" }, details };
}

function entryOfUnrecorded({ psu, attempts }: Unrecorded): AuditEntry {
  return entryOf("psu.sign_ins_unrecorded", { psu, requestId: undefined }, { unrecordedBefore: attempts });
}

/**
 * Records refused sign-ins as far as `createRefusalBound` allows, and the others as a number: in the next entry of the same PSU,
 * or in an entry of its own when the minute is over or the process stops. Attempts that could not be recorded are counted too.
 */
export function startRecordingRefusals({
  database,
  clock,
  log,
  again = repeat,
}: RefusalRecordParts): RefusalRecord {
  const bound = createRefusalBound(clock);
  // One statement, so one transaction.
  const considerTogether = gather(async (asked: readonly (readonly Considered[])[]) => {
    await consider(database, asked.flat());
    return asked.map(() => undefined);
  });

  async function orGiveBack(write: Promise<void>, unrecorded: readonly Unrecorded[]): Promise<void> {
    try {
      await write;
    } catch (error) {
      unrecorded.forEach(bound.giveBack);
      throw error;
    }
  }

  /** Writes down numbers, and gives how many there were. */
  async function recordCounts(which: "over" | "any"): Promise<number> {
    const unrecorded = bound.takeOut(which);
    await orGiveBack(appendAudit(database, unrecorded.map(entryOfUnrecorded)), unrecorded);
    return unrecorded.length;
  }

  const fail = tellFailure(log, "numbers of refused sign-ins could not be recorded", PAUSE_MILLISECONDS);
  const counting = again(async () => ((await recordCounts("over")) > 0 ? 0 : PAUSE_MILLISECONDS), fail);

  return {
    async record({ refusal, psu }, requestId) {
      const { isRecorded, unrecordedBefore, displaced } = bound.take({ refusal, psu });
      const entry = entryOf(ACTIONS[refusal], { psu, requestId }, { unrecordedBefore });
      const numbers = displaced.map((each) => ({ entry: entryOfUnrecorded(each), isRecorded: true }));
      const lost = isRecorded ? [...displaced, { psu, attempts: unrecordedBefore + 1 }] : displaced;
      await orGiveBack(considerTogether([{ entry, isRecorded }, ...numbers]), lost);
    },
    async stop() {
      await counting.stop();
      while ((await recordCounts("any")) > 0);
    },
  };
}
