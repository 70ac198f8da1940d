import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { dirname } from "node:path";
import { Secret } from "@cobs/service-edge";
import { expect } from "chai";
import { CORE_SYSTEM_COMMAND } from "../../packages/sandbox/src/core-system/core-system-command.ts";
import { presentCore } from "../../packages/sandbox/src/core-system/present-core.ts";
import { sandboxLayout } from "../../packages/sandbox/src/sandbox-folder/sandbox-layout.ts";
import { requireAnswering } from "../../packages/sandbox/src/seed/connect-postgres.ts";
import { configureSandbox } from "../../packages/sandbox/src/start/config.ts";
import { resourceEnvironment } from "../../packages/sandbox/src/start/service-environment.ts";
import { parseCommandLine } from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { runProgram, startProgram } from "../support/program.ts";
import { testCertificates } from "../support/test-certificates.ts";
import { createTestDatabase } from "../support/test-databases.ts";

describe("the demo bank as a core system", () => {
  it("is read from resource's database unless SANDBOX_CORE=connector", () => {
    expect(configureSandbox({}).core).to.equal("direct");
    expect(configureSandbox({ SANDBOX_CORE: "connector" }).core).to.equal("connector");
    expect(() => configureSandbox({ SANDBOX_CORE: "elsewhere" })).to.throw(/SANDBOX_CORE/);
    expect(() => configureSandbox({ SANDBOX_CORE: "http://localhost:9555" })).to.throw(/SANDBOX_CORE.*https/);
  });

  it("is replaced by another core system if SANDBOX_CORE is its URL", () => {
    const url = "https://localhost:9555/core";
    expect(configureSandbox({ SANDBOX_CORE: url }).core).to.deep.equal(new URL(url));
  });

  for (const more of ["?bank=1", "#bank", "jana@", "jana:secret@"])
    it(`cannot be replaced by a URL with a query, a fragment or credentials (${more})`, () => {
      const url = more.endsWith("@") ? `https://${more}localhost:9555` : `https://localhost:9555/${more}`;
      expect(() => configureSandbox({ SANDBOX_CORE: url }))
        .to.throw(/SANDBOX_CORE.*credentials/)
        .with.property("message")
        .that.does.not.include("secret");
    });

  it("is the one that resource is configured to ask if it has a URL", async () => {
    const certificates = await testCertificates();
    const { ports } = configureSandbox({});
    const surroundings = { layout: sandboxLayout("/sandbox"), ports, certificates };
    expect(resourceEnvironment(surroundings)).to.include({ BANK: "sandbox" });
    const coreUrl = "https://localhost:9445";
    expect(resourceEnvironment({ ...surroundings, coreUrl })).to.include({
      BANK: "http",
      CORE_URL: coreUrl,
      CORE_AUTHORITY_FILE: certificates.privateCaFile,
    });
  });

  it("prints the command of the test kit, ready to be run, and an account that it may pay to", () => {
    const psus = ["p1", "p2", "p3"].map((psuId) => {
      const account = { id: `a-${psuId}`, iban: `CZ-${psuId}`, currency: "CZK", name: "Account" };
      return { psuId, accounts: [account, { ...account, iban: "CZ-other" }] };
    });
    const told = presentCore("https://localhost:9445", { certificates: "c", psus });
    expect(told).to.include("npm run connector-kit -- https://localhost:9445 --psu p1 --other-psu p2");
    expect(told).to.include("--certificate c/bank/resource.pem --key c/bank/resource.key");
    expect(told).to.include("  --payee CZ-p2\n");
    const inBox = presentCore("https://localhost:9445", { certificates: "my box/c", psus: [] });
    expect(inBox).to.include("CORE_AUTHORITY_FILE='my box/c/private-ca.pem'\n");
    expect(inBox).to.include("--certificate 'my box/c/bank/resource.pem' --key 'my box/c/bank/resource.key'");
    expect(inBox).to.include("  --payee IBAN\n");
  });

  it("has help, and refuses an unknown option", async function program() {
    this.timeout(120_000);
    const main = "packages/sandbox/src/core-system/main.ts";
    const surroundings = { SANDBOX_DIRECTORY: "/nowhere" };
    const { exitCode, stdout, stderr } = await runProgram(main, ["-h"], surroundings);
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: "" });
    expect(stdout)
      .to.match(/^Usage: npm run core-system --/)
      .and.to.include("CORE_SYSTEM_PORT");
    const refused = await parseCommandLine(CORE_SYSTEM_COMMAND, () => undefined, ["--nosuch"]);
    expect(refused).to.have.property("exitCode", 2);
    expect(refused)
      .to.have.property("complaint")
      .that.matches(/^npm run core-system: .*--nosuch/);
  });

  it("names every variable with a wrong value, and prints no secret", async function program() {
    this.timeout(120_000);
    const { exitCode, stderr } = await runProgram("packages/sandbox/src/core-system/main.ts", [], {
      CORE_SYSTEM_PORT: "seven",
      LOG_LEVEL: "all",
      RESOURCE_DATABASE_URL: "mysql://bank:secret@db/bank",
    });
    expect(exitCode).to.equal(78);
    for (const name of ["CORE_SYSTEM_PORT", "LOG_LEVEL", "RESOURCE_DATABASE_URL"])
      expect(stderr).to.include(name);
    expect(stderr).not.to.include("secret@").and.not.to.include("    at ");
  });

  it("says where it looks for a sandbox, and how to name another database", async function program() {
    this.timeout(120_000);
    const surroundings = { SANDBOX_DIRECTORY: "/nowhere" };
    const { exitCode, stderr } = await runProgram(
      "packages/sandbox/src/core-system/main.ts",
      [],
      surroundings,
    );
    expect({ exitCode, stderr }).to.deep.equal({
      exitCode: 4,
      stderr:
        "there is no sandbox with /nowhere/secrets/resource-database-url; start one with npm start, or name a database with RESOURCE_DATABASE_URL\n",
    });
  });

  it("tries the servers of its database in turn until one answers", async () => {
    const url = new URL(await createTestDatabase());
    const several = new Secret(url.href.replace(url.host, `127.0.0.1:1,${url.host}`));
    await requireAnswering(several, "test");
    const nobody = new Secret(url.href.replace(url.host, "127.0.0.1:1,127.0.0.1:2"));
    const refusal = await requireAnswering(nobody, "test").catch((error: unknown) => error);
    expect(refusal).to.include({ code: "no_database", exitCode: 4 });
  });

  it("gives up on a database server that accepts the connection and stays silent", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const url = new Secret(`postgresql://bank@127.0.0.1:${port}/bank`);
    const refusal = await requireAnswering(url, "test").catch((error: unknown) => error);
    server.close();
    expect(refusal).to.include({ code: "no_database", exitCode: 4 });
  });

  it("announces nothing if the sandbox's database does not answer, and says so", async function program() {
    this.timeout(120_000);
    const { directory } = await testCertificates();
    const surroundings = {
      CORE_SYSTEM_PORT: "0",
      SANDBOX_DIRECTORY: dirname(directory),
      RESOURCE_DATABASE_URL: "postgresql://bank@127.0.0.1:1/bank",
    };
    const core = startProgram("packages/sandbox/src/core-system/main.ts", [], surroundings);
    const announced = core.says("stdout", /--authority/).then(
      () => core.child.kill(),
      () => undefined,
    );
    expect(await core.ended()).to.deep.include({
      exitCode: 4,
      stdout: "",
      stderr: "the database does not answer; is the sandbox running?\n",
    });
    await announced;
  });

  it("exits with 0 on a Ctrl-C that npm passes on once more", async function program() {
    this.timeout(60_000);
    const { directory } = await testCertificates();
    const core = startProgram("packages/sandbox/src/core-system/main.ts", [], {
      CORE_SYSTEM_PORT: "0",
      SANDBOX_DIRECTORY: dirname(directory),
      RESOURCE_DATABASE_URL: await createTestDatabase(),
    });
    await core.says("stdout", /--authority/);
    const passingOn = setInterval(() => core.child.kill("SIGINT"), 1);
    const { exitCode } = await core.ended();
    clearInterval(passingOn);
    expect(exitCode).to.equal(0);
  });

  it("says that its port is taken, and how to choose another", async function program() {
    this.timeout(120_000);
    const { directory } = await testCertificates();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = Object(other.address());
    const { exitCode, stderr } = await runProgram("packages/sandbox/src/core-system/main.ts", [], {
      CORE_SYSTEM_PORT: String(port),
      SANDBOX_DIRECTORY: dirname(directory),
      RESOURCE_DATABASE_URL: await createTestDatabase(),
    });
    other.close();
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(new RegExp(`^port ${port} .*taken.*CORE_SYSTEM_PORT\\n$`));
  });
});
