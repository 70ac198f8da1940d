import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { isRunning } from "../../../packages/sandbox/src/processes/process-identity.ts";
import type { ReadySandbox } from "../../../packages/sandbox/src/sandbox-folder/sandbox-document.ts";
import { beforeJourneySandbox, journeySandbox } from "../../journeys/journey-sandbox.ts";
import { eventually } from "../../support/eventually.ts";
import { commandOf, runProgram, startProgram } from "../../support/program.ts";
import { freePorts, type TestSandbox } from "../../support/sandbox.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { accountsStatus } from "./accounts-status.ts";

const MAIN = "packages/sandbox/src/start/main.ts";

function pidsOf({ processes }: ReadySandbox): readonly number[] {
  return Object.values(processes).filter((pid) => typeof pid === "number");
}

// Whatever follows, and all journeys beside it, is found in a folder whose first start was killed in the middle.
let endOfFirstStart: NodeJS.Signals | null | undefined;
beforeJourneySandbox(async (environment) => {
  endOfFirstStart = await startKilled(environment);
});

/** What kills do to it later, the journeys of killed processes tell. */
describe("Sandbox from npm start", function () {
  this.timeout(120_000);
  let sandbox: TestSandbox;

  before(async () => {
    sandbox = await journeySandbox();
  });

  it("is completed by the next start when the first one is killed halfway", async () => {
    expect(endOfFirstStart).to.equal("SIGKILL");
    expect(sandbox.environment.SANDBOX_DIRECTORY).to.equal(sandbox.directory);
    expect(await accountsStatus(await sandbox.document(), "aisp")).to.equal(200);
  });

  it("gives programs its facts in a file readable only by the owner", async () => {
    const document = await sandbox.document();
    expect((await stat(join(sandbox.directory, "sandbox.json"))).mode & 0o777).to.equal(0o600);
    expect(document.psus.map(({ accounts }) => accounts.length)).to.include(1);
    expect(Math.max(...document.psus.map(({ accounts }) => accounts.length))).to.be.greaterThan(30);
    expect(document.certificates.filter(({ wrong }) => wrong !== null)).to.have.lengthOf.at.least(8);
    for (const pid of pidsOf(document)) expect(isRunning(pid)).to.equal(true);
  });

  it("has a ready application with a token for each scope and one for both", async () => {
    const document = await sandbox.document();
    expect(await accountsStatus(document, "aisp")).to.equal(200);
    expect(await accountsStatus(document, "pisp")).to.equal(403);
    expect(await accountsStatus(document, "both")).to.equal(200);
  });

  it("writes no password, secret or token to its logs", async () => {
    const { psus, readyApplication, databases } = await sandbox.document();
    const { clientSecret, refreshToken, tokens } = readyApplication;
    const databasePasswords = Object.values(databases).map((url) => new URL(url).password);
    const psuSecrets = psus.flatMap(({ password, totpSecret }) => [password, totpSecret]);
    const secrets = [
      clientSecret,
      refreshToken,
      ...Object.values(tokens),
      ...databasePasswords,
      ...psuSecrets,
    ];
    for (const name of ["sandbox", "auth", "resource"]) {
      const log = await readFile(join(sandbox.directory, "logs", `${name}.log`), "utf8");
      for (const secret of secrets) expect(log.includes(secret), name).to.equal(false);
    }
  });

  it("refuses a second start in its folder, and names the process", async () => {
    const { exitCode, stderr } = await runProgram(MAIN, [], {
      ...sandbox.environment,
      ...(await freePorts()),
    });
    expect(exitCode).to.equal(1);
    expect(stderr).to.include(`process ${(await sandbox.document()).processes.supervisor}`);
  });

  it("refuses to start on taken ports, and names each with its variable", async () => {
    const other: Record<string, string> = {
      ...sandbox.environment,
      SANDBOX_DIRECTORY: `${sandbox.directory}-other`,
    };
    const { exitCode, stderr } = await runProgram(MAIN, [], other);
    expect(exitCode).to.equal(1);
    expect(stderr).to.include(`port ${other.RESOURCE_BANK_PORT} on 127.0.0.1 (RESOURCE_BANK_PORT)`);
  });

  it("refuses a malformed port before anything starts", async () => {
    const { exitCode, stderr } = await runProgram(MAIN, [], {
      ...sandbox.environment,
      AUTH_BANK_PORT: "seven",
    });
    expect({ exitCode, named: stderr.includes("AUTH_BANK_PORT") }).to.deep.equal({
      exitCode: 78,
      named: true,
    });
  });

  it("refuses an unknown option, in one line", async () => {
    const { exitCode, stderr } = await runProgram(MAIN, ["--foo"], sandbox.environment);
    expect({ exitCode, stderr }).to.deep.equal({
      exitCode: 2,
      stderr: "npm start: unknown option '--foo'; see --help\n",
    });
  });

  it("stops everything in order, and keeps all data for the next start", async () => {
    const before = await sandbox.document();
    expect(await sandbox.halt()).to.equal(0);
    expect(pidsOf(before).filter(isRunning)).to.deep.equal([]);
    const refused = await sandbox.tpp("demo");
    expect([refused.exitCode, refused.stderr.includes("npm start")]).to.deep.equal([4, true]);
    await sandbox.start();
    const after = await sandbox.document();
    expect(after.readyApplication).to.deep.equal(before.readyApplication);
    expect(after.psus).to.deep.equal(before.psus);
    expect(await accountsStatus(after, "aisp")).to.equal(200);
  });
});

/** `script` of Linux opens a terminal for a command. */
if (process.platform === "linux")
  describe("Sandbox whose terminal closes", () => {
    const folder = temporaryFolder();
    after(() => folder.remove());

    it("is stopped in order, with 0, and releases its folder", async () => {
      const directory = join(folder.path, "sandbox");
      const result = join(folder.path, "exit-code");
      // Nobody listens there: the services wait, and the sandbox for them.
      const database = "postgresql://nobody@127.0.0.1:1/nothing";
      const program = `"${commandOf(MAIN).join('" "')}"`;
      // With the terminal goes the shell that leads its session, and with that everything in front.
      const inside = `trap : HUP; ${program}; echo $? > "${result}"`;
      const terminal = spawn("script", ["-qefc", `sh -c '${inside}'; :`, "/dev/null"], {
        env: {
          PATH: process.env.PATH,
          ...(await freePorts()),
          SANDBOX_DIRECTORY: directory,
          AUTH_DATABASE_URL: database,
          RESOURCE_DATABASE_URL: database,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      for await (const said of terminal.stdout.iterator({ destroyOnReturn: false }))
        if (String(said).includes("certificates and keys are in")) break;
      terminal.kill("SIGKILL");
      const exitCode = () => readFile(result, "utf8").catch(() => "");
      await eventually(async () => (await exitCode()) !== "");
      expect(await exitCode()).to.equal("0\n");
      expect(await readdir(directory)).not.to.include("supervisor");
    });
  });

/** A start that is killed as soon as the services are about to be started; gives what has ended it. */
async function startKilled(environment: Readonly<Record<string, string>>): Promise<NodeJS.Signals | null> {
  const first = startProgram(MAIN, ["--json"], environment);
  await first.says("stderr", /certificates and keys/);
  first.child.kill("SIGKILL");
  await first.ended();
  return first.child.signalCode;
}
