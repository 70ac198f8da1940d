/** Sections that have a bench of their own: the verification of certificates, and the growth of history. */
import type { BenchTable } from "./certificates/bench-result.ts";
import { benchCertificates, fullSize, quickSize } from "./certificates/certificates-suite.ts";
import { presentTable } from "./certificates/present-result.ts";
import { historyRatios, presentHistory } from "./history/history-result.ts";
import { measureHistory } from "./history/measure-history.ts";
import { type BenchSection, ratioOf } from "./section.ts";

/** Names of the certificate tables in this run, in their order. */
const CERTIFICATE_NAMES = ["certificates/keep-alive", "certificates/new-connection"];
/** `npm run bench:history` fills ten million; this is enough to see whether costs grow. */
const TRANSACTIONS = { full: 1_000_000, quick: 100_000 };
/** With only a few dozen rounds, chance decides the median of a request for a different account each time. */
const HISTORY_ROUNDS = 200;

/** Turns costs into throughput: a cost of at most n times the baseline's is a throughput of at least 1/n. */
function ratiosOf({ rows }: BenchTable, name: string) {
  return rows.flatMap(({ target, ratio }) =>
    target === undefined ? [] : [ratioOf(name, 1 / ratio.median, 1 / target)],
  );
}

/** Measures certificates on both kinds of connection. */
export async function measureCertificates(quick: boolean): Promise<BenchSection> {
  const tables = await benchCertificates(quick ? quickSize : fullSize);
  const ratios = tables.flatMap((table, index) => ratiosOf(table, CERTIFICATE_NAMES[index] ?? ""));
  return {
    ratios: ratios.map((each) => ({ ...each, goal: Number(each.goal.toFixed(3)) })),
    text: tables.map(presentTable).join("\n"),
  };
}

/** Compares any page and any span of a long history with the first page of a short one. */
export async function measureHistories(quick: boolean, say: (line: string) => void): Promise<BenchSection> {
  const size = quick ? "quick" : "full";
  const transactions = TRANSACTIONS[size];
  const rows = await measureHistory({ transactions, rounds: HISTORY_ROUNDS, onProgress: say });
  const title = `## History of ${transactions.toLocaleString("en")} transactions`;
  const ratios = historyRatios(rows).map(({ name, ratio, goal }) => ratioOf(name, ratio, goal));
  return { ratios, text: [title, "", presentHistory(rows), ""].join("\n") };
}
