/**
 * The suites of the gate: some run beside each other, a few more than a small machine has cores, because each waits for
 * something now and then. What a suite says is printed when it is over, and a line tells of each that begins; at the end
 * one line counts the tests.
 * A suite that fails, skips a test or runs none fails the gate; a command that counts no tests is one test itself. What
 * failed is told once more at the end, where it is found without reading everything.
 */
import { spawn } from "node:child_process";

/** Whether a bench has printed ratios, and each is a number: what is none, or endless, is null in JSON. */
const hasRatios = (output) => /"ratio": \d/.test(output) && !output.includes('"ratio": null');

/** What comes before the tests, in rows beside each other. */
const BUILD = [
  { name: "build", script: "build" },
  { name: "types", script: "check:types" },
];
const STATIC = [
  { name: "lint", script: "check:lint" },
  { name: "import directions", script: "check:imports" },
  { name: "generated tables", script: "check:docs" },
];
/** It tells of itself how far it is. */
const TESTS = { name: "tests (the README's command)", script: "test", counted: true, told: true };
/**
 * Suites that run while and after the tests run. What waits most begins early, so that little waits at the end; what stops
 * servers under load comes last, when least runs beside it.
 */
const BESIDE_TESTS = [
  { name: "on Redis: alone, behind Sentinels, as a Cluster", script: "test:redis", counted: true },
  { name: "journeys in Chromium", script: "test:browser", counted: true },
  {
    // To start a sandbox takes longer than either: they have one.
    name: "journeys on Authlib, in Python, and the listeners, scanned by sslscan",
    script: "test:authlib",
    options: ["test/tls/**/*.tls.ts"],
    counted: true,
  },
  { name: "a newcomer's first minutes", script: "test:newcomer", counted: true },
  { name: "certificates and revocation, judged by openssl", script: "test:openssl", counted: true },
  { name: "behind HAProxy, nginx and Envoy", script: "test:proxy", counted: true },
  { name: "two of each behind a proxy", script: "test:topology", counted: true },
  { name: "on newer releases of Node.js", script: "test:nodes", counted: true },
  {
    name: "the stores on Debian's PostgreSQL 15 (on the embedded 18 they ran above)",
    script: "test:stores",
    counted: true,
    environment: { COBS_TEST_DEBIAN_POSTGRES: "required" },
  },
  { name: "backup and restore", script: "test:operations", counted: true },
  {
    // How fast it is depends on what runs beside it: whether it measures at all is what is asked here.
    name: "a sample of the bench",
    script: "bench",
    options: ["--sample", "--json", "--only", "resource/admission"],
    holds: ({ code, output }) => [0, 1].includes(code) && hasRatios(output),
  },
  { name: "a sample of the faults", script: "faults", options: ["--quick", "--only", "postgres/"] },
];

// Twice what the longest takes on two cores that are slow; the gate's own tests have less patience.
const SUITE_LIMIT_MILLISECONDS = Number(process.env.COBS_TEST_SUITE_LIMIT_MILLISECONDS ?? 2_400_000);

/** What ends each suite that runs now. */
const running = new Set();
// Otherwise the next ones would begin.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.once(signal, () => {
    for (const end of running) end();
    process.exit(1);
  });

function run(suite) {
  const started = performance.now();
  const { script, options = [] } = suite;
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "-s", script, "--", ...options], {
      stdio: ["ignore", "pipe", "pipe"],
      // The suite "build" comes first: what it has built is of this moment.
      env: { ...process.env, COBS_TEST_BUILT: "1", ...suite.environment },
      // A process group of its own: npm's children go with it.
      detached: true,
    });
    const end = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        // None of them is left.
        if (error.code !== "ESRCH") throw error;
      }
    };
    running.add(end);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk) => {
        if (suite.told) process.stdout.write(chunk);
        output += chunk;
      });
    // A suite that hangs is a suite that failed, also one whose leftovers go on when it has ended itself.
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      output += `\nnot finished after ${SUITE_LIMIT_MILLISECONDS / 1000} s: stopped\n`;
      end();
      // What has left the group holds them still.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    }, SUITE_LIMIT_MILLISECONDS);
    const over = (code, seconds) => {
      clearTimeout(limit);
      running.delete(end);
      resolve({ code: isLate ? null : code, output, seconds });
    };
    child.on("error", () => over(1, 0));
    child.on("close", (code) => over(code, (performance.now() - started) / 1000));
  });
}

/** What mocha warns of and goes on: a suite whose files have gone has not run. */
const MISSING_FILES = "Cannot find any files matching pattern";

function count(output, word) {
  return [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  );
}

// The stacks stand above in full; at the end each failure is a line, so that it is found when only the end is kept.
const TOLD_FAILURES = 12;
const TOLD_LINES = 5;

/** What failed, what was said of it, and the first place in a test, of one failure as mocha's reporters tell it. */
function brief(failure) {
  const [title, said = ""] = failure.trim().split(/\n\s*\n/);
  const [place] = /test\/\S+:\d+(?=:\d+)/.exec(failure) ?? [];
  const words = `${title} ${said.replace(/^\s*at .*$/gm, "")}`.replace(/\s+/g, " ").slice(0, 400);
  return `  ${words}${place === undefined ? "" : ` (${place})`}`;
}

/** The failures that mocha's reporters told; what a command said last that told none. */
function failures(output) {
  const told = [...output.matchAll(/^ {2}\d+\) [\s\S]*?(?=^ {2}\d+\) |^\S|(?![\s\S]))/gm)].map(([text]) =>
    brief(text),
  );
  return told.length > 0 ? told.slice(0, TOLD_FAILURES) : output.trimEnd().split("\n").slice(-TOLD_LINES);
}

let passed = 0;
let failed = 0;
const rows = [];
const told = [];

async function runSuite(suite) {
  process.stdout.write(`\n== ${suite.name}: begins\n`);
  const { code, output, seconds } = await run(suite);
  if (!suite.told) process.stdout.write(`\n== ${suite.name}\n${output}`);
  const result = {
    passed: count(output, "passing"),
    failed: count(output, "failing"),
    skipped: count(output, "pending"),
  };
  const complete = suite.counted
    ? result.passed > 0 && result.skipped === 0 && !output.includes(MISSING_FILES)
    : true;
  const { holds = () => code === 0 } = suite;
  const good = holds({ code, output }) && complete && result.failed === 0;
  passed += suite.counted ? result.passed : Number(good);
  failed += result.failed + (good || result.failed > 0 ? 0 : 1);
  if (!good) told.push(`${suite.name}:`, ...failures(output));
  rows.push(
    `${good ? "ok  " : "FAIL"} ${suite.name} (${seconds.toFixed(1)} s${suite.counted ? `, ${result.passed} tests` : ""})`,
  );
}

async function runRow(row) {
  for (const suite of row) await runSuite(suite);
}

await Promise.all([runRow(BUILD), runRow(STATIC)]);
// Rows that take from the same list: one beside the tests, which run in lanes of their own, and four once these are over: it and three more.
const waiting = BESIDE_TESTS.values();
await Promise.all([
  runRow(waiting),
  runSuite(TESTS).then(() => Promise.all([runRow(waiting), runRow(waiting), runRow(waiting)])),
]);
process.stdout.write(`\n${[...told, "", ...rows].join("\n")}\n\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
