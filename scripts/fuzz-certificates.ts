/**
 * Reads mutated certificates with the readers of psd2-certificates and with an independent ASN.1 library, and counts.
 * Among the certificates that ours accept there must be no difference; nothing may hang, crash or grow. Prints a
 * summary for people or as JSON, and exits with 1 when something is wrong.
 *
 *     npm run fuzz:certificates -- [--count N] [--seed N] [--json]
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type FuzzResult, fuzzCertificates } from "../test/psd2-certificates/fuzz-certificates.ts";

function parseCount(text: string, option: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${option} must be a positive integer`);
  return count;
}

/** On standard error, so that the summary can be kept as a file. */
function showProgress(done: number, count: number): void {
  const percent = Math.floor((100 * done) / count);
  process.stderr.write(`\r${done} of ${count} certificates (${percent} %)${done === count ? "\n" : ""}`);
}

function currentCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
}

function present(result: FuzzResult, commit: string): string {
  const { count, seed, seconds, outcomes, findings, slowestMilliseconds, heapMegabytes, isClean } = result;
  const rows = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  return [
    `${count} mutated certificates, seed ${seed}, ${seconds} s, commit ${commit}, Node ${process.version},`,
    `${cpus().length} cores (${cpus()[0]?.model})`,
    "",
    ...rows.map(([outcome, times]) => `${outcome.padEnd(36)}${String(times).padStart(8)}`),
    "",
    `slowest certificate: ${slowestMilliseconds} ms`,
    `heap after collection at each tenth: ${heapMegabytes.join(", ")} MB`,
    `differences and faults: ${findings.length}`,
    ...findings.map(({ what, der }) => `${what}\n${der}`),
    isClean ? "clean" : "NOT CLEAN",
    "",
  ].join("\n");
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "20261121" },
    json: { type: "boolean", default: false },
  },
});
/** Before the run: others may commit meanwhile. */
const commit = currentCommit();
const result = await fuzzCertificates({
  count: parseCount(values.count, "count"),
  seed: parseCount(values.seed, "seed"),
  onProgress: showProgress,
});
process.stdout.write(
  values.json ? `${JSON.stringify({ commit, ...result }, null, 2)}\n` : present(result, commit),
);
process.exitCode = result.isClean ? 0 : 1;
