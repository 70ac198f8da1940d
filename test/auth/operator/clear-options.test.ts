import { expect } from "chai";
import type { Command } from "commander";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";
import { runOperatorCommand } from "../../../packages/auth/src/operator/run-operator-command.ts";

/** What the command ends with, and says, where nothing is configured: 78 where the line is understood. */
async function run(...commandLine: readonly string[]) {
  const said = { stdout: "", stderr: "" };
  const sink = (stream: keyof typeof said) => ({ write: (text: string) => (said[stream] += text) });
  const exitCode = await runOperatorCommand({
    environment: {},
    commandLine,
    stdout: sink("stdout"),
    stderr: sink("stderr"),
  });
  return { exitCode, ...said };
}

/** Every option with a value, behind the words of its command. */
function valuedOptions(command: Command, words: readonly string[] = []): readonly (readonly string[])[] {
  const own = command.options.flatMap(({ long, required }) => (required && long ? [[...words, long]] : []));
  return [...own, ...command.commands.flatMap((each) => valuedOptions(each, [...words, each.name()]))];
}
const OPTIONS = valuedOptions(createOperatorCommandLine(async () => undefined, {}));

describe("An option of the operator's command", () => {
  it("may be given only once, because the first of two values would be lost", async () => {
    expect(OPTIONS.length).to.be.greaterThan(40);
    for (const words of OPTIONS) {
      const option = words.at(-1);
      const wrong = {
        exitCode: 2,
        stdout: "",
        stderr: `error: ${option} may be given only once\nSee --help.\n`,
      };
      expect(await run(...words, "a", `${option}=b`), words.join(" ")).to.deep.equal(wrong);
    }
    const twice = ["stop-list", "block", "--tpp", "A", "--tpp", "B", "--reason", "r"];
    expect(JSON.parse((await run(...twice, "--json")).stdout)).to.deep.equal({
      error: "usage",
      message: "--tpp may be given only once",
      hint: "See --help.",
    });
  });

  it("takes no other option as its value", async () => {
    for (const words of OPTIONS) {
      const option = words.at(-1);
      const { exitCode, stderr } = await run(...words, "--on-behalf-of=psu");
      expect(exitCode, words.join(" ")).to.equal(2);
      expect(stderr).to.equal(
        `error: ${option} has no value before --on-behalf-of; for a value that begins with -, write ${option}=…\nSee --help.\n`,
      );
    }
    for (const next of ["--json", "--raeson", "-h", "--"])
      expect((await run("psu", "block", "psu-jana", "--reason", next)).exitCode, next).to.equal(2);
  });

  it("takes as its value an option name after =, words with hyphens, and ids that begin with them", async () => {
    const json = await run("psu", "block", "psu-jana", "--reason=--json");
    expect([json.exitCode, json.stdout]).to.deep.equal([78, ""]);
    expect((await run("psu", "block", "psu-jana", "--reason", "--hard, to say")).exitCode).to.equal(78);
    expect((await run("tokens", "list", "--after", "--mesIdEHjDd6ZLire6Eog.code")).exitCode).to.equal(78);
  });

  it("is read as an id after --", async () => {
    const { exitCode, stdout } = await run("psu", "block", "--reason", "r", "--", "--json");
    expect([exitCode, stdout]).to.deep.equal([78, ""]);
    expect((await run("psu", "block", "--reason", "r", "--", "--reason")).exitCode).to.equal(78);
  });
});
