/**
 * Clones the repository into an empty folder and follows the README to the letter: as an unprivileged user where root runs
 * the tests, whose own `npm ci` was that of the gate, and otherwise as the user who runs them.
 */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { freePorts } from "../support/sandbox.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;
const NEWCOMER = isRoot
  ? { name: "an unprivileged user", uid: NOBODY }
  : { name: "this user", uid: undefined };

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 10) / 100;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once("exit", (code) => done(code)));
}

/** Ends a process group that a failed expectation left running. */
async function end(leader: ChildProcess | undefined): Promise<void> {
  if (leader?.pid === undefined || leader.exitCode !== null || leader.signalCode !== null) return;
  process.kill(-leader.pid, "SIGTERM");
  await ended(leader);
}

/** What a command prints, once it has told of another one. */
async function waitForPage(child: ChildProcess, told: string): Promise<string> {
  let output = "";
  return new Promise((done, fail) => {
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes(told)) done(output);
    });
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    child.once("exit", (code) =>
      fail(new Error(`the command that tells of ${told} ended with ${code}: ${output}`)),
    );
  });
}

/** Whether anybody of a process group is left. */
function isThere({ pid = 0 }: ChildProcess): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

describe("A newcomer", () => {
  it(`who is ${NEWCOMER.name} runs the main job with npm ci and npm start`, async function () {
    this.timeout(540_000);
    const folder = makeTemporaryFolder("newcomer-");
    const { uid } = NEWCOMER;
    chmodSync(folder, 0o711);
    const options = {
      cwd: join(folder, "clone"),
      env: {
        ...process.env,
        ...(await freePorts()),
        HOME: folder,
        npm_config_cache: join(folder, "npm"),
        TMPDIR: folder,
      },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    };
    const served: SpawnOptions = {
      ...options,
      env: { ...options.env, CORE_SYSTEM_PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    };
    let start: ChildProcess | undefined;
    let core: ChildProcess | undefined;
    try {
      execFileSync("git", ["clone", "-q", REPOSITORY, join(folder, "clone")]);
      if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${uid}`, folder]);
      const installing = performance.now();
      execFileSync("npm", ["ci", "--no-progress"], { ...options, stdio: "pipe" });
      const installed = seconds(installing);

      const starting = performance.now();
      start = spawn("npm", ["start"], served);
      const page = await waitForPage(start, "npm run tpp -- demo");
      const ready = seconds(starting);
      expect(page).to.include("curl");

      const demonstrating = performance.now();
      const demo = execFileSync("npm", ["run", "-s", "tpp", "--", "demo"], {
        ...options,
        encoding: "utf8",
      });
      const demonstrated = seconds(demonstrating);
      expect(demo).to.match(/CZ\d{2}/);

      const tpp = (...command: readonly string[]) => {
        const words = ["run", "-s", "tpp", "--", ...command, "--json"];
        return JSON.parse(execFileSync("npm", words, { ...options, encoding: "utf8" }));
      };
      const [{ id }] = tpp("accounts").accounts;
      expect(tpp("transactions", id).totalCount).to.be.above(0);

      const curl = /^\s*(curl .*)$/m.exec(page)?.[1] ?? "";
      const accounts = JSON.parse(
        execFileSync("sh", ["-c", curl], { ...options, encoding: "utf8", stdio: "pipe" }),
      );
      expect(accounts.accounts).to.be.an("array").that.is.not.empty;

      core = spawn("npm", ["run", "-s", "core-system"], served);
      await waitForPage(core, "npm run connector-kit");
      const coreEnded = ended(core);
      // npm alone, as a supervisor would: nobody may be left.
      core.kill("SIGTERM");
      expect(await coreEnded).to.equal(0);
      expect(isThere(core)).to.equal(false);

      const sandbox = JSON.parse(readFileSync(join(folder, "clone/.sandbox/sandbox.json"), "utf8"));
      process.stdout.write(
        `      ${NEWCOMER.name}: npm ci ${installed} s, npm start ready after ${ready} s, demo ${demonstrated} s\n`,
      );
      const stopped = ended(start);
      process.kill(sandbox.processes.supervisor, "SIGINT");
      expect(await stopped).to.equal(0);
    } finally {
      await end(core);
      await end(start);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });
});
