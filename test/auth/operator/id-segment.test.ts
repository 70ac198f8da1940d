import { expect } from "chai";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";
import { rejectionOf } from "../../support/rejection.ts";

const COMMANDS: readonly (readonly [line: string, ...options: string[]])[] = [
  ["tpps show"],
  ["applications show"],
  ["applications end", "--reason", "r"],
  ["consents show"],
  ["consents end", "--reason", "r"],
  ["card-consents end", "--reason", "r"],
  ["psu show"],
  ["psu block", "--reason", "r"],
  ["psu release", "--reason", "r"],
  ["keys drop", "--reason", "r"],
  ["payment"],
  ["refusal"],
];

describe("An id that would change the path", () => {
  for (const [line, ...options] of COMMANDS)
    it(`is refused by \`${line}\` without a call`, async () => {
      const asked: string[] = [];
      const call = async ({ path }: { readonly path: string }) => {
        asked.push(path);
        return "{}";
      };
      for (const id of ["", ".", ".."]) {
        const terminal = { write: async () => undefined, tell: () => undefined };
        const program = createOperatorCommandLine(async (command) => {
          await command({ auth: call, resource: call }, terminal);
        }, {});
        const refusal = await rejectionOf(
          program.parseAsync([...line.split(" "), id, ...options], { from: "user" }),
        );
        const message = id === "" ? "the id is empty" : `${id} is not a valid id`;
        expect(refusal).to.include({ code: "usage", message });
      }
      expect(asked).to.deep.equal([]);
    });
});
