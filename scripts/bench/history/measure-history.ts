/**
 * Measures what any page of a history costs in the sandbox bank. The first page of an account with a thousand entries is
 * compared with pages and spans of time deep in an account with very many, in one table. Buffers are the 8 kB pages that the
 * statement touches, which a busy machine does not change; times are what a caller of the bank waits.
 */
import type { Queries } from "@cobs/service-edge";
import { openSandboxAccounts } from "../../../packages/resource/src/bank/sandbox-bank-postgres.ts";
import { openMigratedDatabase } from "../../../test/resource/bank/migrated-database.ts";
import { explainingQueries } from "./explaining-queries.ts";
import { type Filling, fillLedger } from "./fill-ledger.ts";
import { type HistoryCase, historyCases } from "./history-cases.ts";
import { BASELINE, type HistoryRow } from "./history-result.ts";

/** How history is measured. */
export type HistoryMeasurement = Omit<Filling, "until"> & {
  /** How often each request is timed, interleaved with all others; 0 times none. */
  readonly rounds: number;
};

/** First rounds, which are not timed: until then code and query plans have not settled. */
const WARM_UPS = 30;

const PATIENT_WITH_MILLIONS = { connection: 20_000, statement: 3_600_000 };

/** Fills a database of its own, which ends with this process, and measures it. */
export async function measureHistory(measurement: HistoryMeasurement): Promise<readonly HistoryRow[]> {
  const database = await openMigratedDatabase(undefined, PATIENT_WITH_MILLIONS);
  try {
    const until = new Date();
    await fillLedger(database, { ...measurement, until });
    measurement.onProgress("measuring");
    const cases = historyCases(measurement.transactions, until);
    const timed = await timeCases(database, cases, measurement.rounds);
    return await database.transaction((queries) => explainCases(queries, cases, timed));
  } finally {
    await database.close();
  }
}

type Times = ReadonlyMap<string, readonly number[]>;

async function timeCases(queries: Queries, cases: readonly HistoryCase[], rounds: number): Promise<Times> {
  const bank = openSandboxAccounts(queries);
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = rounds === 0 ? 0 : -WARM_UPS; round < rounds; round += 1) {
    for (const { name, request } of cases) {
      const wanted = request();
      const start = performance.now();
      await bank.listTransactions(wanted);
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  return times;
}

async function explainCases(
  queries: Queries,
  cases: readonly HistoryCase[],
  timed: Times,
): Promise<readonly HistoryRow[]> {
  const explaining = explainingQueries(queries);
  const bank = openSandboxAccounts(explaining);
  const rows: HistoryRow[] = [];
  for (const { name, kind, baseline = BASELINE, request } of cases) {
    const { entries, totalCount } = await bank.listTransactions(request());
    const times = [...(timed.get(name) ?? [])].sort((one, other) => one - other);
    rows.push({
      name,
      kind,
      baseline,
      totalCount,
      entries: entries.length,
      buffers: explaining.buffers(),
      p50: times[Math.floor(times.length / 2)],
      p99: times[Math.floor(times.length * 0.99)],
    });
  }
  return rows;
}
