import { expect } from "chai";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";

describe("The operator's command for consents to card issuers", () => {
  /** The body that is sent to auth for an IBAN. */
  async function sentFor(iban: string) {
    const sent: unknown[] = [];
    const auth = async ({ body }: { readonly body?: unknown }) => {
      sent.push(body);
      return "{}";
    };
    const terminal = { write: async () => undefined, tell: () => undefined };
    const program = createOperatorCommandLine(async (command) => {
      await command({ auth, resource: undefined }, terminal);
    }, {});
    const of = ["--psu", "psu-jana", "--tpp", "PSDCZ-CNB-12345678", "--account", "main"];
    await program.parseAsync(["card-consents", "give", ...of, "--iban", iban], { from: "user" });
    return sent;
  }

  for (const iban of [
    "CZ6508000000192000145399",
    "CZ65 0800 0000 1920 0014 5399",
    "cz65\u00a00800 0000 1920 0014 5399 ",
  ])
    it(`accepts the IBAN ${iban} as people write it`, async () => {
      expect(await sentFor(iban)).to.deep.equal([
        {
          psu: "psu-jana",
          tpp: "PSDCZ-CNB-12345678",
          account: "main",
          iban: "CZ6508000000192000145399",
        },
      ]);
    });
});
