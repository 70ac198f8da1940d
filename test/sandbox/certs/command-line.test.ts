import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { createCommandLine } from "../../../packages/sandbox/src/certs/command-line.ts";
import { commandOf, startProgram } from "../../support/program.ts";
import { rejectionOf } from "../../support/rejection.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const CERTS = "packages/sandbox/src/certs/main.ts";

describe("npm run certs", function program() {
  this.timeout(120_000);
  const { path, remove } = temporaryFolder();
  const run = (...commandLine: readonly string[]) =>
    startProgram(CERTS, commandLine, { SANDBOX_DIRECTORY: join(path, "sandbox") }).ended();
  after(remove);

  it("issues into the sandbox's folder, and inspects against its anchors, unless told otherwise", async () => {
    const issued = await run("issue", "--defect", "expired,qsealc", "--json");
    expect(issued.exitCode, issued.stderr).to.equal(0);
    const { directory, issued: made } = JSON.parse(issued.stdout);
    expect(directory).to.equal(join(path, "sandbox", "certificates"));
    const files = made.map(({ certificate }: { certificate: string }) => certificate);
    const inspected = await run("inspect", ...files);
    expect(inspected.exitCode, inspected.stderr).to.equal(1);
    expect(inspected.stdout).to.include("REFUSED with certificate_expired");
    expect(inspected.stdout).to.include("REFUSED with qc_type_not_web");
  });

  it("names the revocation responder of a sandbox not yet started, on its configured port", async () => {
    const environment = { SANDBOX_DIRECTORY: join(path, "later"), REVOCATION_PORT: "18447" };
    const issued = await startProgram(CERTS, ["issue", "aisp"], environment).ended();
    expect(issued.exitCode, issued.stderr).to.equal(0);
    const file = join(path, "later", "certificates", "issued", "aisp.pem");
    const inspected = await startProgram(CERTS, ["inspect", file], environment).ended();
    expect(inspected.stdout).to.include("http://localhost:18447/ocsp");
  });

  it("inspects standard input, also when a program's pipe is a socket, as in Node.js", async () => {
    const directory = join(path, "pipe");
    const issued = await run("issue", "aisp", "--out", directory);
    expect(issued.exitCode, issued.stderr).to.equal(0);
    const [program = "", ...words] = [...commandOf(CERTS), "inspect", "-", "--anchors"];
    const input = readFileSync(join(directory, "issued", "aisp.pem"));
    const ended = spawnSync(program, [...words, join(directory, "anchors.json")], {
      input,
      encoding: "utf8",
    });
    expect(ended.status, ended.stderr).to.equal(0);
    expect(ended.stdout).to.match(/^-\n/).and.to.include("ACCEPTED");
  });

  it("is the process that npm starts, so that a responder ends before npm does, and says so, however often it is told", async () => {
    const directory = join(path, "answering");
    expect((await run("issue", "aisp", "--out", directory)).exitCode).to.equal(0);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    const child = spawn("sh", ["-c", `${scripts.certs} respond --port 0 ${directory}`], { detached: true });
    let said = "";
    let telling: NodeJS.Timeout | undefined;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      // To the one process alone that npm knows of.
      if (text.includes("end with Ctrl-C")) telling = setInterval(() => child.kill("SIGTERM"), 1);
    });
    const closed = once(child, "close");
    const ended = await once(child, "exit");
    clearInterval(telling);
    // Where it is not npm's own child, it is left.
    spawnSync("kill", ["-KILL", "--", `-${child.pid}`]);
    await closed;
    expect(ended).to.deep.equal([0, null]);
    expect(said).to.match(/\nEnded\.\n$/);
  });

  it("issues nothing when the responder's port is invalid", async () => {
    const environment = { SANDBOX_DIRECTORY: join(path, "nowhere"), REVOCATION_PORT: "8447x" };
    const ended = await startProgram(CERTS, ["issue", "aisp"], environment).ended();
    expect(ended).to.include({ exitCode: 2, stdout: "" });
    expect(ended.stderr).to.include("REVOCATION_PORT must be a port, from 1 to 65535");
  });

  it("explains itself, and distinguishes wrong usage from a refused certificate by its exit code", async () => {
    const [help, unknown, nothing] = await Promise.all([run("--help"), run("guess"), run("issue")]);
    expect(help.exitCode).to.equal(0);
    expect(help.stdout).to.include("npm run certs -- issue --defect");
    expect([unknown.exitCode, nothing.exitCode]).to.deep.equal([2, 2]);
    expect(nothing.stderr).to.include("nothing to issue");
  });

  it("accepts several values only for options that collect them", async () => {
    const directory = join(path, "gathering");
    const line = ["issue", "--defect", "expired", "--defect=qsealc", "--out", directory];
    const issued = await run(...line, "--json");
    expect(issued.exitCode, issued.stderr).to.equal(0);
    expect(JSON.parse(issued.stdout).issued).to.have.lengthOf(2);
    const twice = await run(...line, "--out", path);
    expect(twice).to.include({ exitCode: 2, stderr: "error: --out may be given only once\nSee --help.\n" });
  });

  for (const [option, text] of [
    ["--port", ""],
    ["--port", "0x1F90"],
    ["--port", "65536"],
    ["--days", "1e3"],
    ["--days", "0"],
    ["--days", " 5"],
  ] as const)
    it(`refuses ${option} written as "${text}"`, async () => {
      const words = option === "--port" ? ["respond", path] : ["issue", "aisp", "--out", path];
      const given = createCommandLine(async () => expect.fail("it was taken"), { writeErr: () => undefined });
      const { message } = await rejectionOf(given.parseAsync([...words, option, text], { from: "user" }));
      expect(message).to.include(`'${option} <number>' argument '${text}' is invalid`);
    });

  for (const [commandLine, words] of [
    ["guess", "unknown command 'guess'"],
    ["issue", "nothing to issue"],
    ["inspect --json nowhere.pem", "nowhere.pem"],
  ] as const)
    it(`explains with --json why \`${commandLine}\` ends with 2, in a single object`, async () => {
      const ended = await run(...commandLine.split(" "), "--json");
      expect(ended).to.include({ exitCode: 2, stderr: "" });
      const told = JSON.parse(ended.stdout);
      expect(told).to.include({ error: "usage" });
      expect(told.message).to.include(words);
    });
});
