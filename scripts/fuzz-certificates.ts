/**
 * Reads mutated certificates with the readers of psd2-certificates and with an independent ASN.1 library, and counts. For
 * certificates that ours accept, the readings must not differ; nothing may hang, crash or grow. Prints a summary for people or
 * as JSON, and exits with 1 on a failure. `--help` lists its options.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import {
  createCommand,
  readCommandLine,
  wholeNumber,
} from "../packages/sandbox/src/terminal/read-command-line.ts";
import type { FuzzResult } from "../test/psd2-certificates/fuzz-certificates.ts";

interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly json?: boolean;
}

const COMMAND = createCommand(
  "npm run fuzz:certificates",
  "Reads mutated certificates with our reader and an independent one; where ours accepts, both must agree.",
)
  .option("--count <number>", "how many certificates", wholeNumber(1), 100_000)
  .option("--seed <number>", "decides every mutation", wholeNumber(1), 20_261_121)
  .option("--json", "print the summary as JSON")
  .addHelpText("after", "\nExit codes: 0 no difference, 1 a difference, 2 wrong usage.");

const { count, seed, json } = await readCommandLine(COMMAND, (given: FuzzOptions) => given);

/** Writes to standard error, so that the summary can be redirected to a file. */
function showProgress(done: number, all: number): void {
  const percent = Math.floor((100 * done) / all);
  process.stderr.write(`\r${done} of ${all} certificates (${percent} %)${done === all ? "\n" : ""}`);
}

function currentCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
}

function present(result: FuzzResult, commit: string): string {
  const { seconds, outcomes, findings, slowestMilliseconds, heapMegabytes, isClean } = result;
  const rows = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  return [
    `${result.count} mutated certificates, seed ${result.seed}, ${seconds} s, commit ${commit}, Node ${process.version},`,
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

/** Read before the run, because others may commit meanwhile. */
const commit = currentCommit();
const { fuzzCertificates } = await import("../test/psd2-certificates/fuzz-certificates.ts");
const { heapAfterCollection } = await import("../test/support/heap-after-collection.ts");
const options = { count, seed, onProgress: showProgress, heap: heapAfterCollection };
const result = await fuzzCertificates(options);
process.stdout.write(json ? `${JSON.stringify({ commit, ...result }, null, 2)}\n` : present(result, commit));
process.exitCode = result.isClean ? 0 : 1;
