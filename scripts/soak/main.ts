/**
 * `npm run soak`: puts the load of 10,000 consents to 100 accounts each, given to 50 TPPs, on one built resource server. Prints
 * the memory that the process holds after garbage collection, and how often its caches answer. `--help` lists its options.
 * Exits with 1 when memory grows, a cache exceeds its bound, or a call fails.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { readCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { SOAK_COMMAND, type SoakOptions } from "./command-line.ts";
import type { SoakRun } from "./soak-consents.ts";
import { CACHES, figureOf, heapGrowth, presentSample, SAMPLE_TABLE_HEAD } from "./soak-sample.ts";

const RESULT_FILE = fileURLToPath(new URL("../../test/results/soak-consents.md", import.meta.url));
const MAX_GROWTH = 1.1;
const BOUNDS = { tokens: 20_000, certificates: 10_000, unattended_accesses: 20_000 } as const;

const options = await readCommandLine(SOAK_COMMAND, (given: SoakOptions) => given);
const seconds = options.minutes * 60;

const size = {
  consents: 10_000,
  accountsOfEach: 100,
  tpps: 50,
  psus: 100,
  seconds,
  sampleSeconds: Math.max(2, Math.round(seconds / 30)),
  callersAtOnce: 16,
  built: true,
};
const tell = (line: string) => void (options.json || process.stdout.write(`${line}\n`));

tell(SAMPLE_TABLE_HEAD);
const { soakConsents } = await import("./soak-consents.ts");
const run = await soakConsents(size, tell);
const faults = faultsOf(run);
if (options.json) process.stdout.write(`${JSON.stringify(summaryOf(run), undefined, 2)}\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (options.write) writeFileSync(RESULT_FILE, presentRun(run));
process.exit(faults.length > 0 ? 1 : 0);

function faultsOf({ samples, statuses }: SoakRun): readonly string[] {
  const growth = heapGrowth(samples);
  const failed = [...statuses].filter(([status]) => status !== 200);
  return [
    ...(growth <= MAX_GROWTH ? [] : [`the heap grew by a factor of ${growth.toFixed(3)}`]),
    ...failed.map(([status, calls]) => `${calls} calls were answered with ${status}`),
    ...CACHES.flatMap((cache) => {
      const most = Math.max(...samples.map((sample) => figureOf(sample, cache, "entries")));
      return most <= BOUNDS[cache] ? [] : [`${cache} had ${most} entries, more than ${BOUNDS[cache]}`];
    }),
  ];
}

function summaryOf({ samples, statuses }: SoakRun) {
  return {
    heapGrowth: heapGrowth(samples),
    statuses: Object.fromEntries(statuses),
    faults,
    samples: samples.map(({ metrics, ...sample }) => ({
      ...sample,
      caches: Object.fromEntries(
        CACHES.map((cache) => [
          cache,
          {
            entries: figureOf({ metrics }, cache, "entries"),
            hits: figureOf({ metrics }, cache, "hits_total"),
            misses: figureOf({ metrics }, cache, "misses_total"),
          },
        ]),
      ),
    })),
  };
}

function presentRun({ samples, statuses }: SoakRun): string {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), Node ${process.versions.node}`;
  const answered = [...statuses].map(([status, calls]) => `${calls} with ${status}`).join(", ");
  return [
    "# What a resource server holds under very many consents",
    "",
    `\`npm run soak -- --minutes ${options.minutes}\` at commit ${commit}, ${date}, on ${machine}, the callers and the`,
    "database on the same machine. 10,000 consents of 100 accounts each, 50 TPPs with certificates of their own, every",
    "call without the PSU, every twelfth with a new token. Before the first line each consent was used with two tokens and",
    "for two accounts, which fills what is remembered;",
    "heap and rss are right after garbage was collected; hits are of the look-ups since the line before.",
    "",
    SAMPLE_TABLE_HEAD,
    ...samples.map((sample, place) => presentSample(sample, samples[place - 1])),
    "",
    `Calls answered: ${answered}. The mean heap of the last third is ${heapGrowth(samples).toFixed(3)} times that of the third before.`,
    "",
  ].join("\n");
}
