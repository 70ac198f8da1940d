import { expect } from "chai";
import { runOperatorCommand } from "../../../packages/auth/src/operator/run-operator-command.ts";
import { separateIds } from "../../../packages/auth/src/operator/separate-ids.ts";

const CONSENT = "-WmesIdEHjDd6ZLire6Eog";
const KEY = "--sN9cQyJ0y2RkmnHkFqv0f1v9mVZcF2nX1sO9TQw1A";

describe("An id that begins with a hyphen", () => {
  it("is an argument of the operator's command, and no option", async () => {
    for (const line of [
      ["consents", "show", CONSENT, "--json"],
      ["consents", "revoke", "--reason", "r", CONSENT],
      ["keys", "drop", "--json", KEY],
    ]) {
      let said = "";
      const sink = { write: (text: string) => (said += text) };
      const exitCode = await runOperatorCommand({
        environment: {},
        commandLine: line,
        stdout: sink,
        stderr: sink,
      });
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

  it("changes nothing for what is no id", () => {
    const line = ["consents", "revoke", "cV3mJ8Yx0aKq2LrT5wZbNg", "--on-behalf-of", "psu", "--reason=asked"];
    expect(separateIds(line)).to.deep.equal(line);
  });
});
