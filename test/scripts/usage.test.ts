import { expect } from "chai";
import { runScript } from "../support/run-script.ts";

const WRONG: readonly (readonly [name: string, commandLine: readonly string[], said: string])[] = [
  ["faults", ["--foo"], "Unknown option '--foo'"],
  ["faults", ["--only", "nothing/"], "no case has a name like nothing/; --list names them"],
  [
    "faults",
    ["--quick", "--only", "redis/"],
    "no case of those that are quick has a name like redis/; --list names them",
  ],
  ["bench", ["--foo"], "Unknown option '--foo'"],
  ["bench", ["--cores", "many"], "--cores is a number of cores"],
  ["bench", ["--only", "nothing/"], "nothing that is measured has a name like nothing/"],
];

describe("the commands that take long", function longCommands() {
  this.timeout(60_000);

  for (const [name, commandLine, said] of WRONG)
    it(`refuse ${name} ${commandLine.join(" ")} before anything is started, in one line`, async () => {
      const { exitCode, stdout, stderr } = await runScript(`scripts/${name}/main.ts`, commandLine);
      expect({ exitCode, stdout, stderr }).to.deep.equal({
        exitCode: 2,
        stdout: "",
        stderr: `npm run ${name}: ${said}\n`,
      });
    });
});
