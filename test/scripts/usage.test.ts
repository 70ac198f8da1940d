import { expect } from "chai";
import { runCommandLine as runConnectorKit } from "../../packages/resource/src/core-kit/command-line.ts";
import { CORE_SYSTEM_COMMAND } from "../../packages/sandbox/src/core-system/core-system-command.ts";
import {
  parseCommandLine,
  type ReadCommand,
  type ReadOptions,
} from "../../packages/sandbox/src/terminal/read-command-line.ts";
import { BENCH_COMMAND, readBenchOptions } from "../../scripts/bench/command-line.ts";
import { HISTORY_COMMAND } from "../../scripts/bench/history/command-line.ts";
import { FAULTS_COMMAND, readFaultsOptions } from "../../scripts/faults/command-line.ts";
import { OPERATIONS_COMMAND, readPublication } from "../../scripts/operations/command-line.ts";
import { SOAK_COMMAND } from "../../scripts/soak/command-line.ts";
import { TOPOLOGY_COMMAND } from "../../scripts/topology/command-line.ts";
import { type ProgramRun, runProgram } from "../support/program.ts";
import { runScript } from "../support/run-script.ts";
import { runTpp } from "../support/sandbox.ts";

const PROGRAMS: Readonly<Record<string, string>> = {
  start: "packages/sandbox/src/start/main.ts",
  "run core-system": "packages/sandbox/src/core-system/main.ts",
  "run topology": "scripts/topology/main.ts",
  "run faults": "scripts/faults/main.ts",
  "run bench": "scripts/bench/main.ts",
  "run bench:history": "scripts/bench/history/main.ts",
  "run bench:pages": "scripts/bench/pages.ts",
  "run soak": "scripts/soak/main.ts",
  "run fuzz:certificates": "scripts/fuzz-certificates.ts",
  "run operations": "scripts/operations/main.ts",
  "run sbom": "scripts/sbom.mjs",
};

const PUBLICATION = ["article-32", "--prometheus", "http://127.0.0.1:1", "--from", "2026-07-01"];
const UNKNOWN = ["unknown option '--foo'", "--foo"] as const;
const EXCESS = ["unexpected argument 'foo'", "foo"] as const;

/** For each command: what is said, and of which words. */
const WRONG: Readonly<Record<string, readonly (readonly [said: string, ...words: string[]])[]>> = {
  start: [EXCESS],
  "run core-system": [EXCESS],
  "run topology": [
    UNKNOWN,
    EXCESS,
    [
      "option '--processes <number>' argument '5' is invalid. It must be a whole number from 1 to 4",
      "--processes",
      "5",
    ],
    ["unknown option '--auth-database'", "--auth-database", "postgresql://auth:secret@127.0.0.1/auth"],
  ],
  "run faults": [
    UNKNOWN,
    ["unknown option '--onyl' (Did you mean --only?)", "--onyl", "redis/"],
    ["no case has a name that begins with nothing/; --list prints the names", "--only", "nothing/"],
    [
      "no case of the sample has a name that begins with redis/; --list prints the names",
      "--quick",
      "--only",
      "redis/",
    ],
  ],
  "run bench": [
    UNKNOWN,
    ["--cores may be given only once", "--cores", "1", "--cores=2"],
    [
      "--cores has no value before --json; for a value that begins with -, write --cores=…",
      ...["--cores", "--json"],
    ],
    [
      "option '--cores <number>' argument 'many' is invalid. It must be a whole number from 1 to 9999",
      "--cores",
      "many",
    ],
    ["option '--only <beginning>' argument missing", "--only"],
    ["no measurement has a name that begins with resource/nothing", "--only", "resource/nothing"],
  ],
  "run bench:history": [
    UNKNOWN,
    [
      "option '--transactions <number>' argument '15000' is invalid. It must be a multiple of 10,000",
      ...["--transactions", "15000"],
    ],
    [
      "option '--rounds <number>' argument '0' is invalid. It must be a whole number of at least 1",
      ...["--rounds", "0"],
    ],
  ],
  "run bench:pages": [UNKNOWN],
  "run soak": [
    UNKNOWN,
    [
      "option '--minutes <number>' argument '0' is invalid. It must be a number from 0.5 to 1440",
      "--minutes",
      "0",
    ],
  ],
  "run fuzz:certificates": [
    UNKNOWN,
    [
      "option '--count <number>' argument 'all' is invalid. It must be a whole number of at least 1",
      "--count",
      "all",
    ],
  ],
  "run operations": [
    ["required option '--prometheus <url>' not specified"],
    ["unexpected argument 'more'", ...PUBLICATION, "--to", "2026-07-01", "more"],
    ["2026-06-31 is not a date such as 2026-07-01", ...PUBLICATION, "--to", "2026-06-31"],
    ["2026-07-01 to 9926-06-02 are more than 3660 days", ...PUBLICATION, "--to", "9926-06-02"],
    ["2026-07-01 is after 2026-06-30", ...PUBLICATION, "--to", "2026-06-30"],
  ],
  "run sbom": [UNKNOWN, ["unknown service bank; the services are auth and resource", "bank"]],
};

type Command = typeof TOPOLOGY_COMMAND;
type Parse = (words: readonly string[]) => Promise<ReadCommand<unknown>>;

/**
 * The command lines that can be read here: all wrong ones but the first are, and so is what asks for help, without a process for
 * each.
 */
const PARSED: Readonly<Record<string, { readonly command: Command; readonly parse: Parse }>> = {
  "run core-system": read(CORE_SYSTEM_COMMAND, () => undefined),
  "run topology": read(TOPOLOGY_COMMAND, (given) => given),
  "run faults": read(FAULTS_COMMAND, readFaultsOptions),
  "run bench": read(BENCH_COMMAND, readBenchOptions),
  "run bench:history": read(HISTORY_COMMAND, (given) => given),
  "run soak": read(SOAK_COMMAND, (given) => given),
  "run operations": read(OPERATIONS_COMMAND, readPublication),
};

function read<O>(command: Command, options: ReadOptions<O, unknown>) {
  return { command, parse: (words: readonly string[]) => parseCommandLine(command, options, words) };
}

/** What a process ends with, and says, that reads `--help` with such a command line. */
async function helpOf({ command, parse }: NonNullable<(typeof PARSED)[string]>): Promise<ProgramRun> {
  let stdout = "";
  command.configureOutput({
    writeOut: (text) => {
      stdout += text;
    },
  });
  const outcome = await parse(["--help"]);
  if ("value" in outcome) throw new Error("it would start");
  return { exitCode: outcome.exitCode, stdout, stderr: outcome.complaint };
}

/** As npm runs it: what is of a package from its build where that is of this moment, what is of the repository from its sources. */
function run(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> {
  return (program.startsWith("packages/") ? runProgram : runScript)(program, words, environment);
}

/** Programs that are asked for help here, because their processes do no more than hand their words on. */
const HELPED: Readonly<Record<string, () => Promise<ProgramRun>>> = {
  "packages/sandbox/src/tpp/main.ts": () => runTpp("/proc/sandbox", ["--help"]),
  "packages/resource/src/core-kit/main.ts": async () => {
    const said = { stdout: "", stderr: "" };
    const exitCode = await runConnectorKit(["--help"], {
      say: (text) => {
        said.stdout += text;
      },
      complain: (text) => {
        said.stderr += text;
      },
    });
    return { exitCode, ...said };
  },
};

describe("Command lines of the repository", function commandLines() {
  this.timeout(120_000);

  for (const [name, program] of Object.entries(PROGRAMS)) {
    it(`show how npm ${name} is used, and exit with 0`, async () => {
      const parsed = PARSED[name];
      const told = parsed === undefined ? run(program, ["--help"]) : helpOf(parsed);
      const { exitCode, stdout, stderr } = await told;
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: "" });
      expect(stdout)
        .to.match(new RegExp(`^Usage: npm ${name} -- \\[options\\]`))
        .and.to.include("Exit codes: 0 ");
    });

    for (const [place, [said, ...words]] of (WRONG[name] ?? []).entries())
      it(`refuse npm ${[name, ...words].join(" ")} in one line, before anything is started`, async () => {
        const line = `npm ${name}: ${said}; see --help\n`;
        const parsed = PARSED[name];
        if (place > 0 && parsed !== undefined) {
          expect(await parsed.parse(words)).to.deep.equal({ exitCode: 2, complaint: line });
          return;
        }
        const { exitCode, stdout, stderr } = await run(program, words);
        expect({ exitCode, stdout, stderr }).to.deep.equal({ exitCode: 2, stdout: "", stderr: line });
      });
  }

  for (const [program, words, exitCode] of [
    ["packages/sandbox/src/tpp/main.ts", ["accounts", "--foo"], 2],
    ["packages/sandbox/src/seed/main.ts", ["--transactions", "1", "--foo"], 2],
    ["packages/sandbox/src/certs/main.ts", ["list", "--foo"], 2],
    ["packages/sandbox/src/operator/main.ts", ["tpps", "list", "--foo"], 2],
    ["packages/resource/src/core-kit/main.ts", ["https://localhost", "--foo"], 2],
    // As for everything that another start does not change.
    ["packages/resource/src/main.ts", ["--foo"], 78],
  ] as const) {
    it(`report an unknown option of ${program}, refer to --help, and print no more`, async () => {
      const refused = await run(program, words);
      expect(refused).to.include({ exitCode, stdout: "" });
      expect(refused.stderr)
        .to.match(/^[^\n]*--foo[^\n]*\n([^\n]+\n)?$/)
        .and.to.include("--help");
    });

    it(`show how ${program} is used, and exit with 0`, async () => {
      const help = HELPED[program] ?? (() => run(program, ["--help"]));
      const { exitCode, stdout, stderr } = await help();
      expect({ exitCode, stderr, begins: /^(Usage: |npm run )/.test(stdout) }).to.deep.equal({
        ...{ exitCode: 0, stderr: "", begins: true },
      });
    });
  }

  // Which folders are refused is told of by the folder of a sandbox.
  it("report at once that a topology can store nothing in its folder", async () => {
    const words = ["--directory", "package.json"];
    const { exitCode, stdout, stderr } = await run("scripts/topology/main.ts", words);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: "" });
    expect(stderr).to.match(
      /^npm run topology: it could not start: nothing can be stored in \/[^\n]+: E[A-Z]+: [^\n]+\n$/,
    );
  });

  it("report at once that a sandbox can store nothing in its folder", async () => {
    const environment = { SANDBOX_DIRECTORY: "/proc/sandbox" };
    const { exitCode, stdout, stderr } = await run("packages/sandbox/src/start/main.ts", [], environment);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 1, stdout: "" });
    expect(stderr).to.match(
      /^\nThe sandbox could not start\.\nnothing can be stored in \/proc\/sandbox: [^\n]+\n$/,
    );
  });
});
