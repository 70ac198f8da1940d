import { expect } from "chai";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";

describe("The operator's command for tokens", () => {
  it("shows which codes were used", async () => {
    const known = { consentId: "c", applicationId: "a", issuedAt: "09:00", expiresAt: "09:01" };
    const tokens = [
      { hashPrefix: "used", kind: "code", ...known, usedAt: "09:00:30" },
      { hashPrefix: "waiting", kind: "code", ...known, usedAt: null },
    ];
    const auth = async () => JSON.stringify({ tokens, next: null });
    const terminal = { write: async () => undefined, tell: () => undefined };
    let said: string | undefined;
    const program = createOperatorCommandLine(async (command) => {
      said = (await command({ auth, resource: undefined }, terminal))?.text;
    }, {});
    await program.parseAsync(["tokens", "list", "--consent", "c"], { from: "user" });
    expect(said?.split("\n").map((line) => line.split(/ {2,}/).at(-1))).to.deep.equal([
      "USED",
      "09:00:30",
      "-",
    ]);
  });
});
