import { expect } from "chai";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";

describe("The operator's command for balance checks", () => {
  /** Runs it where nothing is kept; gives what it says, or why not, and the paths that it asked resource for. */
  async function run(account: string, ...options: readonly string[]) {
    const asked: string[] = [];
    const said: string[] = [];
    const auth = () => Promise.reject(new Error("not asked here"));
    const resource = async ({ path }: { readonly path: string }) => {
      asked.push(path);
      return JSON.stringify({ account, balanceChecks: [], next: null });
    };
    const terminal = { write: async () => undefined, tell: () => undefined };
    const program = createOperatorCommandLine(async (command) => {
      const result = await command({ auth, resource }, terminal);
      said.push(result?.text ?? "");
    }, {});
    const refusal = await program.parseAsync(["balance-checks", account, ...options], { from: "user" }).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { asked, said, refusal };
  }

  it("says that nothing is kept under an account id, which may not exist", async () => {
    const { asked, said, refusal } = await run("06c7e119be769e09");
    expect(refusal).to.equal(undefined);
    expect(asked).to.deep.equal(["/operator/accounts/06c7e119be769e09/balance-checks?limit=50"]);
    expect(said).to.deep.equal(["No balance checks are recorded for this account id."]);
  });

  it("says only that nothing older is kept when it is given --after, whose key may be mistyped", async () => {
    const { asked, said } = await run("06c7e119be769e09", "--after", "1700000000000001");
    expect(asked).to.deep.equal([
      "/operator/accounts/06c7e119be769e09/balance-checks?limit=50&after=1700000000000001",
    ]);
    expect(said).to.deep.equal([
      "No older balance checks are recorded for this account id, provided that --after is the key that the previous page ended with.",
    ]);
  });

  for (const iban of [
    "CZ6508000000192000145399",
    "CZ65 0800 0000 1920 0014 5399",
    "cz6508000000192000145399",
  ])
    it(`refuses the IBAN ${iban} without a call, and says where the id is found`, async () => {
      const { asked, refusal } = await run(iban);
      expect(asked).to.deep.equal([]);
      expect(refusal).to.include({
        code: "usage",
        message: "this is an IBAN: give the id of the account",
      });
      expect(refusal).to.have.property("hint").that.includes("card-consents list");
    });

  it("refuses a malformed account id without a call", async () => {
    const { asked, refusal } = await run("19-2000145399/0800");
    expect(asked).to.deep.equal([]);
    expect(refusal).to.include({
      code: "usage",
      message: "the id of an account must be 1 to 64 letters, digits, _ and -",
    });
  });

  it("accepts an id of letters and digits even if it has the checksum of an IBAN", async () => {
    expect((await run("BE30A1B2C3D4E5F6")).asked).to.have.lengthOf(1);
  });
});
