import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { isRunning } from "../../packages/sandbox/src/processes/process-identity.ts";
import { eventually } from "../support/eventually.ts";
import { startWaiting } from "../support/stopwatch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PROGRAM = resolve(import.meta.dirname, "../../scripts/run-suites.mjs");
/** In the place of npm: a suite that goes on, and has begun when there is a file with its number. */
const NPM = '#!/bin/sh\ncd "$(dirname "$0")" && echo > $$.pid && exec sleep 60\n';
/** In the place of npm: suites that are good at once, but for one of which some files have gone. */
const npmWithout = (script: string) => `#!/bin/sh
echo '"ratio": 1'
echo "  1 passing"
[ "$3" != "${script}" ] || echo 'Warning: Cannot find any files matching pattern "test/gone/*.ts"' >&2
`;
/** The same, where of three suites something goes on: two have ended themselves, and one has said all that is asked of it. */
const NPM_LATE = npmWithout("none").replace(
  /$/,
  `case "$3" in
test:newcomer) sleep 60 & ;;
test:openssl) setsid sleep 20 & ;;
bench) exec sleep 60 ;;
esac
`,
);
/** The same, where the bench has measured nothing, and has said so as JSON does. */
const npmBench = (ratios: string, exitCode: number) => `#!/bin/sh
echo "  1 passing"
[ "$3" != bench ] || { echo '${ratios}'; exit ${exitCode}; }
`;
const LATE_MILLISECONDS = 5_000;

describe("Suites of the gate", () => {
  async function runGate(npm: string, environment: Readonly<Record<string, string>> = {}) {
    const { path, remove } = temporaryFolder();
    writeFileSync(join(path, "npm"), npm, { mode: 0o755 });
    const gate = spawn(process.execPath, [PROGRAM], {
      env: { PATH: `${path}:/usr/bin:/bin`, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    gate.stdout.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const [exitCode] = await once(gate, "close");
    remove();
    return { exitCode, failed: [...said.matchAll(/^FAIL (.*) \(/gm)].map(([, name]) => name) };
  }

  it("fail when mocha finds no file for a part of one, even if it runs the others", async () => {
    expect(await runGate(npmWithout("none"))).to.deep.equal({ exitCode: 0, failed: [] });
    const { exitCode, failed } = await runGate(npmWithout("test:authlib"));
    expect(failed).to.deep.equal(["journeys on Authlib, in Python, and the listeners, scanned by sslscan"]);
    expect(exitCode).to.equal(1);
  });

  it("fail when something of one does not end, and are not held up by it", async () => {
    const waited = startWaiting();
    const { exitCode, failed } = await runGate(NPM_LATE, {
      COBS_TEST_SUITE_LIMIT_MILLISECONDS: String(LATE_MILLISECONDS),
    });
    expect(failed).to.have.members([
      "a newcomer's first minutes",
      "certificates and revocation, judged by openssl",
      "a sample of the bench",
    ]);
    expect(exitCode).to.equal(1);
    expect(waited()).to.be.lessThan(4 * LATE_MILLISECONDS);
  });

  for (const [what, ratios, ended] of [
    ["has measured below its goal", '"ratio": 0.5', 1],
    ["has measured what it should", '"ratio": 1.25', 0],
  ] as const)
    it(`accept a bench that ${what}`, async () => {
      expect(await runGate(npmBench(ratios, ended))).to.deep.equal({ exitCode: 0, failed: [] });
    });

  for (const [what, ratios, ended] of [
    ["has measured something that is not a number", '"ratio": 1, "ratio": null', 0],
    ["has measured nothing", "[]", 0],
    ["could not be run", '"ratio": 1', 2],
  ] as const)
    it(`fail when a bench ${what}`, async () => {
      expect(await runGate(npmBench(ratios, ended))).to.deep.equal({
        exitCode: 1,
        failed: ["a sample of the bench"],
      });
    });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    it(`end together with the gate on ${signal}`, async () => {
      const { path, remove } = temporaryFolder();
      writeFileSync(join(path, "npm"), NPM, { mode: 0o755 });
      const begun = () =>
        readdirSync(path).flatMap((name) => (name.endsWith(".pid") ? [Number.parseInt(name, 10)] : []));
      const gate = spawn(process.execPath, [PROGRAM], {
        env: { PATH: `${path}:/usr/bin:/bin` },
        stdio: "ignore",
      });
      await eventually(() => begun().length === 2);
      const pids = begun();
      gate.kill(signal);
      await once(gate, "exit");
      await eventually(() => !pids.some(isRunning), undefined, "they ended").finally(() => {
        for (const pid of pids.filter(isRunning)) process.kill(pid);
      });
      expect(begun(), "nothing else begins").to.deep.equal(pids);
      remove();
    });
});
