import { expect } from "chai";
import { runOperatorCommand } from "../../../packages/auth/src/operator/run-operator-command.ts";
import { separateIds } from "../../../packages/auth/src/operator/separate-ids.ts";

const CONSENT = "-WmesIdEHjDd6ZLire6Eog";
const KEY = "--sN9cQyJ0y2RkmnHkFqv0f1v9mVZcF2nX1sO9TQw1A";

const HINT = "Put an id that begins with a hyphen last, after --: psu block --reason fraud -- -x7Kd02";

/** What the command ends with, and says, where nothing is configured. */
async function run(commandLine: readonly string[]) {
  let said = "";
  const sink = { write: (text: string) => (said += text) };
  const exitCode = await runOperatorCommand({ environment: {}, commandLine, stdout: sink, stderr: sink });
  return { exitCode, said };
}

describe("An id that begins with a hyphen", () => {
  it("is read as an argument of the operator's command, not as an option", async () => {
    for (const line of [
      ["consents", "show", CONSENT, "--json"],
      ["consents", "end", "--reason", "r", CONSENT],
      ["keys", "drop", "--json", "--reason", "r", KEY],
    ]) {
      const { exitCode, said } = await run(line);
      // The line was understood: what is missing is only where auth is.
      expect(exitCode, said).to.equal(78);
    }
  });

  it("stays the value of the option that it follows", () => {
    const line = ["tokens", "list", "--consent", CONSENT, "--after", `${CONSENT}.code`];
    expect(separateIds(line)).to.deep.equal(line);
    expect(separateIds(["consents", "show", "--", CONSENT])).to.deep.equal([
      "consents",
      "show",
      "--",
      CONSENT,
    ]);
  });

  it("is refused with a hint when it looks like an option, and accepted after --", async () => {
    const line = ["psu", "block", "-x7Kd02", "--reason", "fraud"];
    expect(await run(line)).to.deep.equal({
      exitCode: 2,
      said: `error: unknown option '-x7Kd02'\nSee --help.\n${HINT}\n`,
    });
    expect(JSON.parse((await run([...line, "--json"])).said)).to.deep.equal({
      error: "usage",
      message: "unknown option '-x7Kd02'",
      hint: `See --help. ${HINT}`,
    });
    expect((await run(["psu", "block", "--reason", "fraud", "--", "-x7Kd02"])).exitCode).to.equal(78);
    expect((await run(["--help"])).said).to.match(/psu block --reason "fraud case 12" -- -x7Kd02/);
    expect((await run(["psu", "block", "psu-jana", "--raeson", "r"])).said).not.to.include(HINT);
  });

  it("does not change how other arguments are read", () => {
    const line = ["consents", "end", "cV3mJ8Yx0aKq2LrT5wZbNg", "--on-behalf-of", "psu", "--reason=asked"];
    expect(separateIds(line)).to.deep.equal(line);
  });
});
