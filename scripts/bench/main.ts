/**
 * `npm run bench`: measures how much of the throughput of bare baselines the built services keep, in one run that starts
 * everything itself. `--help` lists its options. Exits with 1 when a goal is missed.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { SERVICE_NODE_OPTIONS } from "@cobs/service-edge";
import { readCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { BENCH_COMMAND, readBenchOptions } from "./command-line.ts";
import { alignTable, type BenchRatio, type BenchSection, meetsGoal, presentRatio } from "./section.ts";

const RESULT_FILE = fileURLToPath(new URL("../../test/results/bench.md", import.meta.url));

const EXIT_USAGE = 2;
const { cores, ...options } = await readCommandLine(BENCH_COMMAND, readBenchOptions);

function presentRatios(ratios: readonly BenchRatio[]): string {
  const rows = ratios.map((each) => [
    each.name,
    presentRatio(each),
    String(each.goal),
    meetsGoal(each) ? "met" : "MISSED",
  ]);
  const columns = ["", "ratio", "goal", ""];
  return alignTable([columns, columns.map(() => "---"), ...rows]).join("\n");
}

function describeRun(): string {
  const { server, others, shared, pinned } = cores;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const where = pinned
    ? `Servers ran on core ${server.join(", ")}, callers and PostgreSQL on ${others.join(", ")}; several processes of a service shared ${shared.join(", ")}, and the servers of certificates/* ran where the bench did.`
    : "There is no taskset here: processes ran on any core.";
  return [
    `\`npm run bench\` at commit ${commit}, ${date}, on ${machine}, Node ${process.versions.node}. ${where}`,
    "Throughput is operations in a second of the processor time of the server process, its threads included, so that it",
    "holds on a machine that is busy with other things too; that of PostgreSQL is in no figure, on neither side. Each ratio is",
    "of one round, in which every server has the same load in turn; the median over the rounds counts. Services run from",
    "`tsc` output with their log and metrics, and with the memory for young objects that their start commands give them",
    `(\`${SERVICE_NODE_OPTIONS.join(" ")}\`), baselines without; mutual TLS is on both sides, and PostgreSQL flushes every commit.`,
    "The services share a statement among calls that wait at the same moment, the baselines run one for each call: so a ratio can",
    "be above one. Each server of resource/*, auth/* and processes/* was loaded beforehand until five windows of two seconds cost",
    "about the same, or for twelve of them (thirty without `--quick`). history/* has no server: it is the time of a statement.",
  ].join("\n");
}

function describe(sections: readonly BenchSection[]): string {
  const ratios = sections.flatMap((section) => section.ratios);
  const tables = sections.map(({ text }) => text).join("\n");
  return ["# What the services cost", "", describeRun(), "", presentRatios(ratios), "", tables].join("\n");
}

const { PATH = "/usr/bin:/bin", NODE_OPTIONS } = process.env;
const say = (line: string) => void process.stderr.write(`${line}\n`);
const inherited = { PATH, ...(NODE_OPTIONS !== undefined && { NODE_OPTIONS }) };
const { measureSections } = await import("./measure-sections.ts");
const sections = await measureSections({ ...options, cores, inherited, say });
const ratios = sections.flatMap((section) => section.ratios);
if (ratios.length === 0) {
  say(`npm run bench: no measurement has a name that begins with ${options.only}`);
  process.exit(EXIT_USAGE);
}
const text = describe(sections);
process.stdout.write(options.json ? `${JSON.stringify(ratios, undefined, 2)}\n` : text);
if (options.write) writeFileSync(RESULT_FILE, text);
// The histories' database server ends with this process.
process.exit(ratios.every(meetsGoal) ? 0 : 1);
