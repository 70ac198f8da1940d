/**
 * `npm test`: builds the programs that tests start, and runs every test file, in lanes beside each other. A lane is a
 * process with a database server, ports and a sandbox of its own, and what it runs, it runs in order. A file of a folder
 * that no lane names belongs to the last lane, so none is left out. Ends with the sums of all lanes, and fails when one
 * fails, finds no test or skips one. Options for mocha may follow, as in `npm test -- --grep consent`.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

// About equally long, and more than a small machine has cores, because each waits for something a third of its time.
const LANES = [
  {
    // What is said of the start of a sandbox, and the commands of a TPP, have that of the journeys.
    name: "both servers together, the commands of a TPP, and stores",
    folders: ["test/journeys/", "test/sandbox/tpp/", "test/sandbox/start/", "test/contracts/"],
  },
  { name: "auth and certificates", folders: ["test/auth/", "test/psd2-certificates/"] },
  {
    name: "resource, its connector, and what conforms to the interface",
    folders: ["test/resource/", "test/connector/", "test/conformance/", "test/openapi/"],
  },
  { name: "the edge of services, the sandbox, scripts, and everything else", folders: ["test/"] },
];
const WORDS = ["passing", "failing", "pending"];
/** What the reporter prints while tests go on: a dot for each that passed, an exclamation mark for each that failed. */
const DOTS = /^[\s.!]+$/;
const DOT = /[.!]/g;
const TOLD_MILLISECONDS = 20_000;
const COUNT = new RegExp(`^ +(\\d+) (${WORDS.join("|")})`, "gm");

const options = process.argv.slice(2);
const strictness = options.length === 0 ? ["--fail-zero"] : [];

/** The lanes with their files, each file in the first that has its folder. */
function dividedFiles() {
  const rest = new Set(
    readdirSync("test", { recursive: true })
      // An editor's own beside a file begin with a dot.
      .filter((path) => /(?:^|\/)[^./][^/]*\.test\.ts$/.test(path))
      .map((path) => `test/${path}`)
      .sort(),
  );
  return LANES.map(({ name, folders }) => {
    const files = [...rest].filter((file) => folders.some((folder) => file.startsWith(folder)));
    for (const file of files) rest.delete(file);
    return { name, files };
  });
}

/** Tests of each lane that are over, as the dot reporter tells. */
const over = new Map();

function tellProgress() {
  const told = [...over].map(([name, count]) => `${name} ${count}`).join(", ");
  process.stdout.write(`   tests over so far: ${told}\n`);
}

/** Runs a lane and prints what it said once it is over; gives its exit code, 1 when it was killed, and its counts. */
function run({ name, files }) {
  const started = performance.now();
  const command = ["node_modules/mocha/bin/mocha.js", ...strictness, ...options, ...files];
  const child = spawn(process.execPath, command, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, COBS_TEST_BUILT: "1" },
  });
  // mocha hands only this signal on to the process in which it runs.
  const end = () => child.kill("SIGINT");
  process.once("SIGTERM", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (DOTS.test(text)) over.set(name, (over.get(name) ?? 0) + (text.match(DOT)?.length ?? 0));
    });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      const counts = Object.fromEntries(
        [...output.matchAll(COUNT)].map(([, count, word]) => [word, Number(count)]),
      );
      // Sums alone stand at the beginning of a line, for those who count.
      const told = output.replace(COUNT, "  of these, $1 $2");
      process.stdout.write(`\n== ${name}: ${files.length} files in ${seconds} s\n${told}`);
      resolve({ name, code: code ?? 1, counts });
    });
  });
}

const build = spawnSync("npm", ["run", "-s", "build"], { stdio: "inherit" });
if (build.status !== 0) process.exit(1);
const lanes = dividedFiles();
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
process.stdout.write(
  `${sum(lanes.map(({ files }) => files.length))} test files in ${lanes.length} lanes; each is shown when it is over\n`,
);
const telling = setInterval(tellProgress, TOLD_MILLISECONDS);
const outcomes = await Promise.all(lanes.map(run));
clearInterval(telling);
process.stdout.write("\n");
for (const word of WORDS) {
  const total = sum(outcomes.map(({ counts }) => counts[word] ?? 0));
  if (word === "passing" || total > 0) process.stdout.write(`  ${total} ${word}\n`);
}
const failed = outcomes.filter(({ code }) => code !== 0);
for (const { name, code } of failed) process.stdout.write(`  ${name} ended with ${code}\n`);
// With options a lane may have none that is meant, but not all of them.
const found = sum(outcomes.flatMap(({ counts }) => Object.values(counts)));
if (found === 0) process.stdout.write("  no test was found\n");
process.exit(failed.length === 0 && found > 0 ? 0 : 1);
