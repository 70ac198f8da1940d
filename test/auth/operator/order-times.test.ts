import { expect } from "chai";
import { createOperatorCommandLine } from "../../../packages/auth/src/operator/command-line.ts";
import {
  END_LIMIT_MILLISECONDS,
  type OperatorCall,
} from "../../../packages/auth/src/operator/operator-client.ts";

const ORDERS = [
  "applications end a --reason r",
  "audit archive --sequence 1 --hash h",
  "consents revoke c --reason r",
  "psu block p --reason r",
  "stop-list block --organisation o --reason r",
  "tokens revoke --tpp o --reason r",
];

describe("An order with which very much may end", () => {
  for (const order of ORDERS)
    it(`is waited for that long: ${order}`, async () => {
      const calls: OperatorCall[] = [];
      const auth = async (call: OperatorCall) => {
        calls.push(call);
        return '{"complete":true}';
      };
      const terminal = { write: () => {}, tell: () => {} };
      const program = createOperatorCommandLine(async (command) => {
        await command({ auth, resource: undefined }, terminal);
      }, {});
      await program.parseAsync(order.split(" "), { from: "user" });
      expect(calls.map((call) => call.timeoutMilliseconds)).to.deep.equal([END_LIMIT_MILLISECONDS]);
    });
});
