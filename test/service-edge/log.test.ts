import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { readableLog } from "../support/readable-log.ts";
import { PROGRAMS_BUILT } from "../support/test-environment.ts";

/** Until then a pipe is full, and writers wait for each other. */
const READS_LATE_MILLISECONDS = 3_000;
/** As many as wait for each other to be written together. */
const LINES = 50;
/** Of a million letters each: more than wait for a reader. */
const LONG_LINES = 90;

/** What Linux has in place of a disk without space; macOS has nothing like it. */
const FULL_DISK = "/dev/full";
/** A process that cannot write its log must not stand still; whatever it does takes less. */
const LONGEST_LIFE_MILLISECONDS = 60_000;

/** What was built where that is known to be of this moment, else the sources, which take longer to load. */
const LOG = PROGRAMS_BUILT
  ? { folder: "./packages/service-edge/dist", extension: "js", options: [] }
  : {
      folder: "./packages/service-edge/src",
      extension: "ts",
      options: ["--conditions=source", "--import", "tsx"],
    };
const moduleOf = (name: string) => `${LOG.folder}/${name}.${LOG.extension}`;

/** How a process is started that says so many lines and ends in its own way. */
function wordsOf(ending: string): readonly string[] {
  const program = `import { createLog } from "${moduleOf("log/log")}";
    const log = createLog("test", "info");
    for (let line = 0; line < ${LINES}; line += 1) log.info({ line }, "said");
    ${ending}`;
  return [...LOG.options, "--input-type=module", "--eval", program];
}

/** What such a process prints. */
function linesOf(ending: string): readonly string[] {
  return spawnSync(process.execPath, wordsOf(ending), { encoding: "utf8" }).stdout.trimEnd().split("\n");
}

describe("Log of a process", () => {
  for (const [how, ending] of [
    ["runs out of work", ""],
    ["exits", "process.exit(0);"],
    ["logs a fatal line and is killed", 'log.fatal("end"); process.kill(process.pid, "SIGKILL");'],
  ] as const) {
    it(`has every pending line, in order, of a process that ${how}`, () => {
      const numbers = linesOf(ending).map((line) => JSON.parse(line).line);
      expect(numbers.slice(0, LINES)).to.deep.equal(Array.from({ length: LINES }, (_, line) => line));
    });
  }
});

describe("Log that cannot be written", () => {
  const goOn = `await new Promise((done) => setTimeout(done, 300));
    log.info("more");
    await new Promise((done) => setTimeout(done, 300));
    process.stderr.write("went on");`;
  const ending = { encoding: "utf8", timeout: LONGEST_LIFE_MILLISECONDS, killSignal: "SIGKILL" } as const;

  const endings = [
    ["runs out of work", "", 0],
    ["exits", 'log.fatal("end"); process.exit(3);', 3],
  ] as const;
  for (const [how, last, code] of process.platform === "linux" ? endings : []) {
    it(`neither stops a process that ${how} nor keeps it from ending when the disk is full`, () => {
      const full = openSync(FULL_DISK, "w");
      const { status, stderr } = spawnSync(process.execPath, wordsOf(`${goOn} ${last}`), {
        ...ending,
        stdio: ["ignore", full, "pipe"],
      });
      closeSync(full);
      expect([status, stderr]).to.deep.equal([code, "went on"]);
    });
  }

  it("does not keep a process from ending when its reader hangs", async () => {
    const words = wordsOf(`log.info({ text: "a".repeat(10_000_000) }); ${goOn} process.exit(3);`);
    const child = spawn(process.execPath, words, {
      stdio: ["ignore", "pipe", "ignore"],
      timeout: LONGEST_LIFE_MILLISECONDS,
      killSignal: "SIGKILL",
    });
    const [status] = await once(child, "exit");
    child.stdout.destroy();
    expect(status).to.equal(3);
  });

  it("is dropped, and its lines are counted, when its reader has gone", async () => {
    const words = wordsOf(`const { createMetrics } = await import("${moduleOf("metrics/process-metrics")}");
      const metrics = createMetrics("test");
      const lost = async () => /^log_lines_lost_total\\S* (\\d+)$/m.exec((await metrics.present()).body)?.[1];
      while ((await lost()) !== "${LINES}") await new Promise((done) => setTimeout(done, 20));
      process.stderr.write(await lost());`);
    const child = spawn(process.execPath, words, { ...ending, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let lost = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      lost += text;
    });
    await once(child, "close");
    expect(lost).to.equal(String(LINES));
  });

  it("has its lost lines counted in the metrics when its reader hangs", async () => {
    const words = wordsOf(`const { createMetrics } = await import("${moduleOf("metrics/process-metrics")}");
      for (let line = 0; line < ${LONG_LINES}; line += 1) log.info({ text: "a".repeat(1_000_000) });
      const { body } = await createMetrics("test").present();
      process.stderr.write(/^log_lines_lost_total\\S* (\\d+)$/m.exec(body)[1]);`);
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
    const [lost] = await once(child.stderr.setEncoding("utf8"), "data");
    let written = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      written += text.split("\n").length - 1;
    });
    await once(child, "close");
    expect(Number(lost)).to.be.greaterThan(0);
    expect(Number(lost) + written).to.equal(LINES + LONG_LINES);
  });
});

describe("Log of several processes", () => {
  it("has every line of each intact, even when the pipe is read late", async () => {
    const how = ["--conditions=source", "--import", "tsx", join(import.meta.dirname, "log-writers.ts")];
    const child = spawn(process.execPath, how, { stdio: ["ignore", "pipe", "inherit"] });
    await delay(READS_LATE_MILLISECONDS);
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    await once(child, "close");
    const seen = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const numbers = (writer: number) => seen.filter((line) => line.writer === writer).map(({ line }) => line);
    for (const writer of [1, 2, 3, 4])
      expect(numbers(writer)).to.deep.equal(Array.from({ length: 2_000 }, (_, line) => line));
  });
});

describe("Error in the log", () => {
  it("shows its class, code, message, reason and stack, and nothing else that it carries", () => {
    const { log, lines } = readableLog();
    const carried = { code: "23505", reason: "it is there", detail: "Key (iban)=(CZ650800) already exists" };
    log.error({ error: Object.assign(new TypeError("a duplicate"), carried) }, "failed");
    log.error({ error: "a secret that was thrown" }, "failed");
    expect(lines[0]?.error).to.have.all.keys("name", "code", "message", "reason", "stack");
    expect(lines[0]?.error).to.include({ name: "TypeError", code: "23505", message: "a duplicate" });
    expect(lines[1]?.error).to.deep.equal({ name: "string" });
  });
});
